package dev.stowage.cli.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.service.api.Access;
import dev.stowage.service.client.StowageClient;
import dev.stowage.service.v1.ChangeReply;
import dev.stowage.service.v1.ChangeServerRequest;
import dev.stowage.service.v1.LabelServerRequest;
import dev.stowage.service.v1.ServerChange;
import dev.stowage.service.v1.SubmitRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The pictures of docs/console.md. {@code -Dstowage.pictures=write} takes them anew; look at them before they are
 * committed. Otherwise they are only looked for.
 */
final class ConsolePicturesTest {
    private static final Path PICTURES = Path.of("..", "docs", "images", "console");
    private static final List<String> KINDS = List.of("1400-light", "1400-dark", "390-light", "390-dark");
    private static final List<String> PANELS = List.of("Cluster", "Now", "Requests", "Policies", "Group");

    @Test
    void everyPanelWideAndNarrowLightAndDark(@TempDir Path directory) throws Exception {
        if ("write".equals(System.getProperty("stowage.pictures"))) {
            take(directory);
        }
        for (String panel : PANELS) {
            for (String kind : List.of("1400-light", "390-dark")) {
                assertThat(Files.size(picture(panel, kind))).isPositive();
            }
        }
    }

    @Test
    void aFinishedRunWideAndNarrowLightAndDark(@TempDir Path directory) throws Exception {
        if ("write".equals(System.getProperty("stowage.pictures"))) {
            takeRun(directory);
        }
        for (String kind : KINDS) {
            assertThat(Files.size(picture("Step", kind))).isPositive();
        }
    }

    private static void takeRun(Path directory) throws Exception {
        try (SteppedRuns runs = new SteppedRuns(
                        directory, 150, 40_000, List.of("bf-js", "load-balancing"), UnaryOperator.identity());
                Browser browser = Browser.open()) {
            browser.go(runs.url());
            browser.until("curves", "return document.querySelectorAll('.chart canvas').length === 4");
            for (String kind : KINDS) {
                boolean narrow = kind.startsWith("390");
                browser.dark(kind.endsWith("dark"));
                browser.size(narrow ? 390 : 1400, narrow ? 844 : 1100);
                browser.script("const slider = document.querySelector('.slider'); slider.value = 4321;"
                        + "slider.dispatchEvent(new Event('input'))");
                Thread.sleep(2500);
                browser.picture(picture("Step", kind));
            }
        }
    }

    private static Path picture(String panel, String kind) {
        return PICTURES.resolve(panel.toLowerCase(java.util.Locale.ROOT) + "-" + kind + ".png");
    }

    private static void take(Path directory) throws Exception {
        try (ConsoleGroup group = new ConsoleGroup(directory, 3, 1200, Access.OPEN, null);
                Browser browser = Browser.open()) {
            label(group);
            group.fill("vm-", 4200);
            browser.go(group.url("n1") + "#cluster");
            browser.untilText("main h2", "Cluster");
            for (int i = 0; i < 12; i++) {
                group.fill("job-" + i + "-", 10 + 7 * (i % 4));
                Thread.sleep(1000);
            }
            // As many as the servers of the west, and four more: these wait.
            try (StowageClient client = group.client()) {
                for (int i = 0; i < 404; i++) {
                    client.submit(SubmitRequest.newBuilder()
                                    .setRequestId("big-" + i)
                                    .setTenant("acme")
                                    .putDemand("cpu_milli", 60_000)
                                    .putDemand("mem_mib", 65_536)
                                    .build())
                            .get();
                }
            }
            for (String kind : KINDS) {
                browser.dark(kind.endsWith("dark"));
                boolean narrow = kind.startsWith("390");
                for (String panel : PANELS) {
                    browser.size(narrow ? 390 : 1400, narrow ? 844 : 900);
                    open(browser, panel);
                    Thread.sleep(2500);
                    browser.picture(picture(panel, kind));
                }
            }
        }
    }

    private static void open(Browser browser, String panel) {
        String hash = panel.toLowerCase(java.util.Locale.ROOT);
        browser.script("location.hash = '#'");
        switch (hash) {
            case "cluster" -> {
                browser.panel("cluster?server=17", panel);
                browser.untilText("main h3", "Server 17");
            }
            case "requests" -> {
                browser.panel("requests?tenant=acme&id=big-403", panel);
                browser.untilText("main h3", "big-403");
            }
            case "now" -> {
                browser.panel("now", panel);
                browser.press("Which servers could be emptied?");
                browser.untilText("main [role=status] p", "are in use");
            }
            default -> browser.panel(hash, panel);
        }
    }

    private static void label(ConsoleGroup group) throws Exception {
        try (StowageClient client = group.client()) {
            for (int server = 0; server < 1200; server++) {
                LabelServerRequest label = LabelServerRequest.newBuilder()
                        .setChangeId("label-" + server)
                        .setName(Integer.toString(server))
                        .putLabels("zone", List.of("a", "b", "c").get(server % 3))
                        .build();
                client.<ChangeReply>operations((stub, answer) -> stub.labelServer(label, answer))
                        .get();
            }
            for (int server : new int[] {40, 41, 42}) {
                ChangeServerRequest drain = ChangeServerRequest.newBuilder()
                        .setChangeId("drain-" + server)
                        .setServer(server)
                        .setChange(server == 42 ? ServerChange.LOST : ServerChange.DRAIN)
                        .build();
                client.<ChangeReply>operations((stub, answer) -> stub.changeServer(drain, answer))
                        .get();
            }
        }
    }
}
