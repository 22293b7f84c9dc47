// Paper is white: a page in dark colours is printed in the light ones.
{
  const page = document.documentElement;
  let read = "";
  addEventListener("beforeprint", () => {
    read = page.dataset.theme;
    page.dataset.theme = "light";
  });
  addEventListener("afterprint", () => {
    page.dataset.theme = read;
  });
}
