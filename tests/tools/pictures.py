"""Makes the pictures of the docs anew, with the pipeline and the weights as they are.

    make pictures          # or: python -m tests.tools.pictures [--out docs/images]

Everything in them is judged by the offline pipeline: the answer of `grapheval demo`, and 240 invented answers about
invented towns, a third of them with a wrong year, name or place. Needs chromium and chromedriver (`make browser`).
"""

from __future__ import annotations

import argparse
import base64
import io
import random
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from PIL import Image
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

from grapheval import Evaluation, GraphEval, Sample, Source
from grapheval.cli.example import ANSWER, QUESTION, SOURCES
from grapheval.report import render
from grapheval.report.many_page import Item, render_many

OUT = Path(__file__).resolve().parents[2] / "docs" / "images"
ANSWERS = 240
PATIENCE = 120
"""Seconds that a page may take on a busy machine."""

_TOWNS = ("Aldham", "Brenwick", "Corley", "Dunmere", "Eastby", "Farrow", "Garston", "Holm", "Ickley", "Jarrow")
_PEOPLE = ("Ada Holt", "Ben Marsh", "Clara Voss", "Dirk Lund", "Edith Roe", "Frank Ames", "Greta Lind", "Hugo Barr")
_RIVERS = ("Lenn", "Oster", "Tarn", "Wend", "Isk", "Morra")


def main() -> None:
    """Write all pictures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=OUT)
    out = parser.parse_args().out
    out.mkdir(parents=True, exist_ok=True)
    pipeline = GraphEval.local()
    with tempfile.TemporaryDirectory() as folder, chromium() as browser:
        answer(pipeline, browser, Path(folder), out / "report-answer.png")
        many(pipeline, browser, Path(folder), out / "report-many.png")
        service(pipeline, browser, out / "service.png")


@contextmanager
def chromium() -> Iterator[webdriver.Chrome]:
    """Headless Chromium in light mode."""
    options = webdriver.ChromeOptions()
    for flag in ("headless=new", "no-sandbox", "disable-gpu", "disable-dev-shm-usage", "hide-scrollbars"):
        options.add_argument(f"--{flag}")
    driver = webdriver.Chrome(options, webdriver.ChromeService("/usr/bin/chromedriver"))
    driver.set_page_load_timeout(PATIENCE)
    try:
        yield driver
    finally:
        driver.quit()


def shoot(browser: webdriver.Chrome, target: Path, height: int) -> None:
    """The upper `height` pixels of the page at a width of 1,240."""
    clip = {"x": 0, "y": 0, "width": 1240, "height": height, "scale": 1}
    shot = browser.execute_cdp_cmd("Page.captureScreenshot", {"clip": clip, "captureBeyondViewport": True})
    # 64 colours are enough, and a third of the size: every picture stays in the history for ever.
    with Image.open(io.BytesIO(base64.b64decode(shot["data"]))) as picture:
        picture.convert("RGB").quantize(64, dither=Image.Dither.NONE).save(target, optimize=True)


def height_of(browser: webdriver.Chrome) -> int:
    """The height of the whole page."""
    found: Any = browser.execute_script("return document.documentElement.scrollHeight")
    return int(found)


def show(browser: webdriver.Chrome, folder: Path, page: str) -> None:
    """Open a page in a window of 1,240 by 1,400."""
    (folder / "page.html").write_text(page, encoding="utf-8")
    browser.set_window_rect(width=1240, height=1400)
    browser.get("about:blank")
    browser.get((folder / "page.html").as_uri())


def answer(pipeline: GraphEval, browser: webdriver.Chrome, folder: Path, target: Path) -> None:
    """The report of one answer, its first mark clicked."""
    sample = Sample(ANSWER, [Source(text, name) for name, text in SOURCES.items()], QUESTION)
    show(browser, folder, render(pipeline.evaluate(sample), question=QUESTION))
    browser.find_element(By.CSS_SELECTOR, "a.ge-mark:not(.ge-quiet)").click()
    shoot(browser, target, min(height_of(browser), 1500))


def many(pipeline: GraphEval, browser: webdriver.Chrome, folder: Path, target: Path) -> None:
    """The report of many answers, from its top."""
    samples = list(answers(ANSWERS))
    results = pipeline.evaluate_many(samples)
    items = [
        Item(str(sample.id), result) if isinstance(result, Evaluation) else Item(str(sample.id), failure=result)
        for sample, result in zip(samples, results, strict=True)
    ]
    show(browser, folder, render_many(items))
    shoot(browser, target, min(height_of(browser), 1250))


def answers(number: int) -> Iterator[Sample]:
    """Invented answers to invented passages; every third has something wrong."""
    chance = random.Random(7)
    for n in range(number):
        town, founder, river = chance.choice(_TOWNS), chance.choice(_PEOPLE), chance.choice(_RIVERS)
        year, people = chance.randint(1100, 1890), chance.randint(3, 90) * 100
        passages = [
            Source(f"{town} was founded in {year} by {founder}. It lies on the river {river}.", f"{town.lower()}.md"),
            Source(f"The town of {town} has {people:,} inhabitants.", "census.md"),
        ]
        if n % 3 == 0:
            wrong = n // 3 % 4
            year += 60 if wrong == 0 else 0
            founder = chance.choice([name for name in _PEOPLE if name != founder]) if wrong == 1 else founder
            river = chance.choice([name for name in _RIVERS if name != river]) if wrong == 2 else river
            people += 1700 if wrong == 3 else 0
        text = (
            f"{town} was founded in {year} by {founder}. It lies on the river {river} and has {people:,} inhabitants."
        )
        if n % 17 == 16:
            text = f"I found nothing about {town}."
        yield Sample(text, passages, id=f"q{n + 1:03}")


def service(pipeline: GraphEval, browser: webdriver.Chrome, target: Path) -> None:
    """The page of `grapheval serve`, with a report."""
    import uvicorn

    from grapheval.cli.serve import _bound
    from grapheval.serve import create_app

    listening = _bound("127.0.0.1", 0)
    server = uvicorn.Server(uvicorn.Config(create_app(pipeline), log_level="warning"))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    try:
        browser.get(f"http://127.0.0.1:{listening.getsockname()[1]}/")
        for name, text in (("answer", ANSWER), ("context", "\n---\n".join(SOURCES.values())), ("question", QUESTION)):
            field = browser.find_element(By.NAME, name)
            field.clear()
            field.send_keys(text)
        browser.find_element(By.CSS_SELECTOR, "button[value='check']").click()
        frame = browser.find_element(By.TAG_NAME, "iframe")
        browser.switch_to.frame(frame)
        WebDriverWait(browser, PATIENCE).until(lambda b: b.find_elements(By.CSS_SELECTOR, ".ge-outcome"))
        browser.switch_to.default_content()
        shoot(browser, target, min(height_of(browser), 1250))
    finally:
        server.should_exit = True
        thread.join(PATIENCE)


if __name__ == "__main__":
    main()
