# The environment that is there stays in use; PYTHON=python3.12 asks for another Python.
PYTHON ?= $(shell .venv/bin/python -c "" 2>/dev/null && echo .venv/bin/python || echo python3)
SETUP = @$(PYTHON) -c "" 2>/dev/null || { echo "There is no $(PYTHON) here that starts: \
name a Python 3.11, 3.12, 3.13 or 3.14 that you have, as in: make learn PYTHON=python3.12"; exit 2; }; \
$(PYTHON) -m helpers setup $(if $(TORCH),--torch $(TORCH))
RUN = .venv/bin/python -m

help:  ## list these commands
	@sed -n 's/^\([a-z-]*\):.*## /  make \1\t/p' Makefile | expand -t 22

learn: setup  ## open your own copy of the first lesson, or of LESSON=03, in JupyterLab
	$(RUN) helpers learn $(LESSON)

check: setup  ## check your answers to the exercises; WHAT=03 or a file: only those
	$(RUN) helpers check $(WHAT)

progress: setup  ## show which exercises are tried and solved
	$(RUN) helpers progress

test: test-helpers test-lessons  ## check helpers, then every notebook: some minutes

test-all:  ## all of that with the longest tests and every drawn example, and the browser tests
	COURSE_TESTS=all $(MAKE) test
	$(MAKE) test-browser

test-helpers: setup-tests  ## unit and property tests
	OMP_NUM_THREADS=1 $(RUN) pytest tests -n 2

test-lessons: setup-tests  ## run every notebook and compare its outputs
	OMP_NUM_THREADS=1 $(RUN) pytest --nbval lessons -n 2 --dist loadfile

test-browser: setup-tests  ## test the web book and JupyterLab in a real browser
	OMP_NUM_THREADS=1 $(RUN) pytest tests/browser -m browser

real-model: setup  ## fetch the file of a real model, for lesson 18 and later ones (93 MB)
	$(RUN) helpers real-model

bench: setup  ## measure decoding beside other systems (half an hour); QUICK=1: one point, printed
	$(RUN) helpers decoding $(if $(filter 1,$(QUICK)),--quick,--again)

lessons: setup  ## run all lessons in order; SAVE=1 keeps the fresh outputs
	$(RUN) helpers lessons $(if $(filter 1,$(SAVE)),--save)

submit: setup  ## gather your answers into work/submission.json
	$(RUN) helpers submit

verify: setup  ## check a submission of your own: FILE=work/submission.json
	$(RUN) helpers verify "$(or $(FILE),work/submission.json)"

grade: setup  ## grade the submissions in FROM=folder into TO=folder; WHAT=03,04.1: only these
	@$(if $(and $(FROM),$(TO)),$(RUN) helpers grade "$(FROM)" "$(TO)" $(if \
	$(WHAT),--what "$(WHAT)") $(if $(CLUSTER),--cluster "$(CLUSTER)") $(if \
	$(ROSTER),--roster "$(ROSTER)") $(MORE),echo "make grade FROM=folder TO=folder"; exit 2)

check-the-checks: setup-tests  ## try planted wrong answers on every exercise, and list them
	OMP_NUM_THREADS=1 $(RUN) tests.exercises.check_the_checks

site: setup-tests  ## build the course as a web book in .build/site
	$(RUN) helpers site

matrix: setup-tests  ## compare outputs under other processors and thread counts; ROWS="avx2"
	$(RUN) tests.matrix "$(ROWS)"

lint: setup-tests  ## check style
	$(RUN) ruff check . && $(RUN) ruff format --check .

format: setup-tests  ## mend style
	$(RUN) ruff check --fix . && $(RUN) ruff format .

check-wheels: setup-tests  ## ask the package index for builds for each Python
	$(RUN) pytest tests/test_requirements.py -m slow

setup:  ## make .venv and install; TORCH=cpu or TORCH=default: which build of PyTorch
	$(SETUP)

setup-tests:
	$(SETUP) --tests

.PHONY: help learn check progress submit verify grade check-the-checks test test-all test-helpers test-lessons test-browser real-model bench lessons site matrix lint format check-wheels setup setup-tests
