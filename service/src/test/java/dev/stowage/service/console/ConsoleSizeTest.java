package dev.stowage.service.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.service.api.Access;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** 10,000 servers and 100,000 requests: what the browser needs for them is printed, and held to no time. */
@Tag("nightly")
final class ConsoleSizeTest {
    @Test
    void tenThousandServers(@TempDir Path directory) throws Exception {
        try (ConsoleGroup group = new ConsoleGroup(directory, 1, 10_000, Access.OPEN, null);
                Browser browser = Browser.open()) {
            group.fill("vm-", 100_000);
            browser.go(group.url("n1"));
            browser.until("cells", "return document.querySelector('canvas.cells')?.dataset.servers === '10000'");
            Object paint = browser.script(
                    "return Math.round(performance.getEntriesByName('first-contentful-paint')[0]?.startTime)");
            Object cells = browser.script("return Math.round(performance.now())");
            group.fill("more-", 2000);
            browser.script("""
                    globalThis.figures = {};
                    (async () => {
                        const cells = (await import('/console/cells.js')).Cells;
                        const occupancy = await (await fetch('/v1/occupancy')).json();
                        const view = new cells(() => {}, () => {});
                        document.querySelector('main').append(view.element);
                        const values = occupancy.kind.map((kind, i) => (i % 100) / 100);
                        const all = {title: 'all', servers: occupancy.kind.map((kind, i) => i)};
                        view.show([all], values, occupancy.status, new Map());
                        const times = [];
                        for (let i = 0; i < 60; i++) {
                            values[i] = i / 60;
                            view.draw();
                            await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));
                            times.push(view.pictureMillis);
                        }
                        times.sort((a, b) => a - b);
                        const begin = performance.now();
                        view.element.dispatchEvent(new PointerEvent('pointermove', {clientX: 100, clientY: 300}));
                        const point = performance.now() - begin;
                        figures = {median: times[30], worst: times[59], point, pictures: view.pictures};
                    })();
                    """);
            browser.until("figures", "return figures.pictures >= 60");
            System.out.println(
                    "10,000 servers: first paint " + paint + " ms, cells after " + cells + " ms; a picture takes "
                            + browser.script("return figures.median") + " ms in the middle, "
                            + browser.script("return figures.worst") + " ms at worst; the pointer "
                            + browser.script("return figures.point") + " ms");
            browser.panel("requests", "Requests");
            browser.find("input[placeholder=any]").sendKeys("more-1999");
            long begin = System.nanoTime();
            browser.press("Find");
            browser.untilText("main td", "more-1999");
            System.out.println("found by id among 102,000: " + (System.nanoTime() - begin) / 1_000_000 + " ms");
            assertThat(browser.complaints()).isEmpty();
        }
    }
}
