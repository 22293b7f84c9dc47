// Figures that a reader operates. Every state was worked out when the book was built
// (helpers/site/figures.py); this script puts the chosen one in place of the one that stands there.
for (const figure of document.querySelectorAll("figure.operable")) {
  const { slots, states } = JSON.parse(figure.querySelector("script").textContent);
  const places = slots.map(([id, attribute]) => [document.getElementById(id), attribute]);
  const reading = figure.querySelector(".reading");
  const controls = [...figure.querySelectorAll("input, select")];

  const count = (control) => (control.options ? control.options.length : Number(control.max) + 1);

  function show() {
    let number = 0; // the last control's value changes fastest
    for (const control of controls) {
      number = number * count(control) + Number(control.value);
      if (control.type === "range") {
        const name = JSON.parse(control.dataset.names)[control.value];
        control.setAttribute("aria-valuetext", name);
        control.nextElementSibling.textContent = name;
      }
    }
    places.forEach(([element, attribute], i) => {
      if (attribute === "text") element.textContent = states[number][i];
      else element.setAttribute(attribute, states[number][i]);
    });
    reading.textContent = states[number][places.length];
  }

  figure.addEventListener("input", show);
  figure.querySelector(".controls").hidden = false;
  show(); // a browser may have kept the controls where the reader left them
}
