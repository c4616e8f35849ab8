package dev.stowage.cli.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.service.api.Access;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** 10,000 servers and 1,000,000 requests: what the browser needs for them is printed, and held to no time. */
@Tag("nightly")
final class ConsoleSizeTest {
    private static final int SERVERS = 10_000;
    private static final int REQUESTS = 1_000_000;
    /** Milli-cores of a core of {@link ConsoleGroup#fill}: all of them run. */
    private static final int SMALL = 60;

    private interface Act {
        void run() throws Exception;
    }

    /** What somebody does, until it is shown: time by the clock, and of the page's scripts, updates included. */
    private static void measure(Browser browser, String what, Act act) throws Exception {
        double script = browser.scriptMillis();
        long begin = System.nanoTime();
        act.run();
        double clock = (System.nanoTime() - begin) / 1e6;
        System.out.printf(
                Locale.ROOT, "%-52s %8.0f ms, script %6.1f ms%n", what, clock, browser.scriptMillis() - script);
    }

    private static void arrive(Browser browser, String address) {
        browser.go(address);
        browser.until("cells", "return document.querySelector('canvas.cells')?.dataset.servers === '" + SERVERS + "'");
        System.out.println("first paint "
                + browser.script(
                        "return Math.round(performance.getEntriesByName('first-contentful-paint')[0]?.startTime)")
                + " ms, cells after " + browser.script("return Math.round(performance.now())") + " ms, script "
                + Math.round(browser.scriptMillis()) + " ms");
    }

    @Test
    void tenThousandServersAndAMillionRequests(@TempDir Path directory) throws Exception {
        try (ConsoleGroup group = new ConsoleGroup(directory, 1, SERVERS, Access.OPEN, null);
                Browser browser = Browser.open()) {
            group.fill("vm-", REQUESTS, SMALL);
            // A browser that has nothing of this address in its cache, and one that has.
            arrive(browser, group.url("n1"));
            arrive(browser, group.url("n1"));
            drawAll(browser);
            browser.go(group.url("n1") + "#cluster");
            browser.until(
                    "cells", "return document.querySelector('canvas.cells')?.dataset.servers === '" + SERVERS + "'");
            measure(browser, "the pointer over a cell", () -> {
                browser.script("""
                    const box = document.querySelector('canvas').getBoundingClientRect();
                    document.querySelector('canvas').dispatchEvent(
                        new PointerEvent('pointermove', {clientX: box.left + 3, clientY: box.top + 26}));
                    """);
                browser.untilText(".line", "Server 0 in east");
            });
            measure(browser, "to the last server by a key", () -> {
                browser.find("canvas.cells").sendKeys(org.openqa.selenium.Keys.END);
                browser.untilText(".line", "Server " + (SERVERS - 1));
            });
            measure(browser, "that server in detail", () -> {
                browser.find("canvas.cells").sendKeys(org.openqa.selenium.Keys.ENTER);
                browser.untilText("aside h3", "Server " + (SERVERS - 1));
            });
            measure(browser, "coloured by what is stranded", () -> {
                browser.script("const by = document.querySelector('select'); by.value = '(stranded)';"
                        + "by.dispatchEvent(new Event('change'))");
                browser.untilText(".legend", "stranded");
            });
            group.fill("more-", 2000, SMALL);
            measure(browser, "panel Requests", () -> {
                browser.panel("requests", "Requests");
                browser.untilText("main td a", "-");
            });
            measure(browser, "a request found by its id among " + (REQUESTS + 2000), () -> {
                browser.find("input[placeholder=any]").sendKeys("more-1999");
                browser.press("Find");
                browser.untilText("main td", "more-1999");
            });
            measure(browser, "that request in detail", () -> {
                browser.script("document.querySelector('main td a').click()");
                browser.untilText("aside h3", "more-1999");
            });
            measure(browser, "panel Now", () -> {
                browser.panel("now", "Now");
                browser.untilText(".bound", "servers are in use");
            });
            measure(browser, "panel Policies", () -> browser.panel("policies", "Policies"));
            measure(browser, "panel Group", () -> browser.panel("group", "Group"));
            measure(browser, "panel Cluster", () -> {
                browser.panel("cluster", "Cluster");
                browser.until(
                        "cells",
                        "return document.querySelector('canvas.cells')?.dataset.servers === '" + SERVERS + "'");
            });
            assertThat(browser.complaints()).isEmpty();
        }
    }

    private static void drawAll(Browser browser) {
        browser.script("""
            globalThis.figures = {};
            (async () => {
                const cells = (await import('/console/cells.js')).Cells;
                const occupancy = await (await fetch('/v1/occupancy')).json();
                const view = new cells(() => {}, () => {});
                document.querySelector('main').append(view.element);
                const values = occupancy.kind.map((kind, i) => (i % 100) / 100);
                const all = {title: 'all', servers: occupancy.kind.map((kind, i) => i)};
                const times = [];
                for (let i = 0; i < 60; i++) {
                    values[i] = i / 60;
                    view.show([all], values, occupancy.status, new Map());
                    await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));
                    times.push(view.pictureMillis);
                }
                times.sort((a, b) => a - b);
                figures = {median: times[30], worst: times[59], pictures: view.pictures};
            })();
            """);
        browser.until("figures", "return figures.pictures >= 60");
        System.out.println("a picture of all cells takes " + browser.script("return figures.median")
                + " ms in the middle, " + browser.script("return figures.worst") + " ms at worst");
    }

    /** A recorded run on 10,000 servers, step by step. */
    @Test
    void tenThousandServersStepByStep(@TempDir Path directory) throws Exception {
        try (SteppedRuns runs = new SteppedRuns(
                        directory, SERVERS / 2, REQUESTS / 4, List.of("best-fit"), UnaryOperator.identity());
                Browser browser = Browser.open()) {
            browser.go(runs.url());
            browser.until(
                    "cells", "return document.querySelector('canvas.cells')?.dataset.servers === '" + SERVERS + "'");
            System.out.println("the step page: first paint "
                    + browser.script(
                            "return Math.round(performance.getEntriesByName('first-contentful-paint')[0]?.startTime)")
                    + " ms, cells after " + browser.script("return Math.round(performance.now())") + " ms");
            browser.until("curves", "return document.querySelectorAll('.chart canvas').length === 4");
            for (int place : new int[] {5000, 9000, 2000, 9999}) {
                measure(browser, "the slider to place " + place + " of 10,000", () -> {
                    long before = (Long) browser.script("return stowage.stepper.moments");
                    browser.script(
                            "const slider = document.querySelector('.slider'); slider.value = arguments[0];"
                                    + "slider.dispatchEvent(new Event('input'))",
                            place);
                    browser.until("moment", "return stowage.stepper.moments > arguments[0]", before);
                });
            }
            measure(browser, "back to the decision before", () -> {
                long before = (Long) browser.script("return stowage.stepper.moments");
                browser.press("Back");
                browser.until("moment", "return stowage.stepper.moments > arguments[0]", before);
            });
            assertThat(browser.complaints()).isEmpty();
        }
    }
}
