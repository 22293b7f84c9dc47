"""Settings of Sphinx for the web book; helpers/site/build.py calls it."""

project = "Decoder-only Transformers, built step by step"
html_title = "Decoder-only Transformers"
copyright = author = ""
language = "en"

extensions = ["myst_nb", "sphinx.ext.mathjax"]
exclude_patterns = ["notebooks"]  # the lessons as they are, for downloading
root_doc = "index"

# lessons are shown as they were saved; nothing is run, and no live control is fetched
nb_execution_mode = "off"
nb_ipywidgets_js = {}
nb_merge_streams = True
myst_enable_extensions = ["attrs_inline", "colon_fence", "dollarmath"]
myst_heading_anchors = 4

# MathJax comes with the book; its menu would fetch more
mathjax_path = "mathjax/tex-svg.js"
mathjax3_config = {"options": {"enableMenu": False}}

html_theme = "sphinx_book_theme"
html_static_path = ["static", "../figures/figures.css"]
html_css_files = ["figures.css", "book.css"]
html_js_files = ["from_a_file.js", "print.js", ("figures.js", {"defer": "defer"})]
html_show_copyright = html_show_sphinx = False
html_copy_source = False
html_show_search_summary = True
html_context = {"default_mode": "auto"}  # light or dark, as the reader's system
html_theme_options = {
    "show_navbar_depth": 1,
    "show_toc_level": 2,
    "navbar_persistent": [],  # the search button stands in the side bar already
    "use_download_button": False,  # each lesson's card has the notebook as it is
    "use_fullscreen_button": False,
    "extra_footer": "",
    "pygments_light_style": "a11y-high-contrast-light",
    "pygments_dark_style": "a11y-high-contrast-dark",
}
