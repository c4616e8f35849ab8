package dev.stowage.cli.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.core.engine.Command;
import dev.stowage.service.api.Access;
import dev.stowage.service.client.StowageClient;
import dev.stowage.service.state.Operation;
import dev.stowage.service.v1.ConsolidationPlan;
import dev.stowage.service.v1.Empty;
import dev.stowage.service.v1.ListRequest;
import dev.stowage.service.v1.OperationsGrpc.OperationsStub;
import dev.stowage.service.v1.ReleaseRequest;
import dev.stowage.service.v1.Request;
import dev.stowage.service.v1.State;
import dev.stowage.service.v1.SubmitRequest;
import io.grpc.stub.StreamObserver;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every panel in a real browser, before a live group. */
@Tag("once")
final class ConsoleTest {
    /** Hash and title of each panel. */
    static final Map<String, String> PANELS = Map.of(
            "cluster", "Cluster", "now", "Now", "requests", "Requests", "policies", "Policies", "group", "Group");

    @TempDir
    private Path directory;

    /**
     * Submits one request after the other until told to stop; each answered as the client does, through whatever
     * happens to the leader.
     */
    private static CompletableFuture<Void> load(ConsoleGroup group, AtomicBoolean over) {
        return CompletableFuture.runAsync(() -> {
            try (StowageClient client = group.client()) {
                for (int i = 0; !over.get(); i++) {
                    client.submit(SubmitRequest.newBuilder()
                                    .setRequestId("load-" + i)
                                    .setTenant("acme")
                                    .putDemand("cpu_milli", 100)
                                    .build())
                            .get();
                    Thread.sleep(5);
                }
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
    }

    @Test
    void everyPanelGoesOnWhenTheLeaderEnds() throws Exception {
        AtomicBoolean over = new AtomicBoolean();
        try (ConsoleGroup group = new ConsoleGroup(directory, 3, 60, Access.OPEN, null);
                Browser browser = Browser.open()) {
            group.fill("vm-", 150);
            CompletableFuture<Void> load = load(group, over);
            String leader = group.leader();
            browser.go(group.url(leader) + "#cluster");
            browser.until("cells", "return document.querySelector('canvas.cells')?.dataset.servers === '60'");
            browser.until("changes come", "return stowage.live.changes > 3");
            // Also when the figures have come anew.
            browser.until("refreshed", "return stowage.panel().refreshed > 2");
            browser.until("the pointer is told a server", """
                const box = document.querySelector('canvas').getBoundingClientRect();
                document.querySelector('canvas').dispatchEvent(
                    new PointerEvent('pointermove', {clientX: box.left + 5, clientY: box.top + 28}));
                return document.querySelector('.line').textContent.startsWith('Server 0 in east');
                """);
            browser.panel("now", "Now");
            browser.untilText(".tile", "requests/s");
            browser.until("a curve", "return document.querySelectorAll('.chart canvas').length >= 4");
            // Not from before the page was opened, when nothing was counted.
            browser.until("the curve begins with the page", """
                const told = document.querySelector('.chart[aria-label^="Requests per second"]').getAttribute('aria-label');
                return told.includes('from ' + new Date(stowage.live.arrivalsFrom * 1000).toLocaleTimeString('en-GB'));
                """);
            browser.untilText("table", "tenant acme");
            browser.untilText(".bound", "servers are in use");
            browser.untilText("main caption", "How full the servers in use are");
            browser.panel("group", "Group");
            browser.until("three nodes", "return document.querySelectorAll('tbody')[0]?.rows.length === 3");
            assertThat(browser.complaints()).isEmpty();

            // The page came from this node: it goes on with the others.
            group.end(leader);
            browser.untilText("#blip", "asking another");
            browser.until(
                    "changes come again",
                    "globalThis.before ??= stowage.live.changes; return stowage.live.changes > before + 20");
            browser.until(
                    "another leads",
                    "return stowage.live.status.leader !== '' && stowage.live.status.leader !== arguments[0]",
                    leader);
            browser.untilText("tbody tr", "silent");
            for (Map.Entry<String, String> panel : PANELS.entrySet()) {
                browser.panel(panel.getKey(), panel.getValue());
            }
            browser.panel("cluster", "Cluster");
            browser.until("cells", "return document.querySelector('canvas.cells')?.dataset.servers === '60'");
            // A change finds the leader, wherever the page asks.
            browser.script("location.hash = 'cluster?server=0'");
            browser.panel("requests", "Requests");
            browser.panel("cluster?server=0", "Cluster");
            browser.untilText("h3", "Server 0");
            browser.press("Drain");
            browser.press("Do it");
            browser.untilText("dd", "draining");
            over.set(true);
            load.get();
        }
    }

    @Test
    void operatorsSeeWhatWillMoveBeforeItDoes() throws Exception {
        try (ConsoleGroup group = new ConsoleGroup(directory, 1, 30, ConsoleGroup.TOKENS, "ops-token");
                Browser browser = Browser.open()) {
            group.fill("vm-", 40);
            browser.go(group.url("n1") + "#cluster");
            browser.token("ops-token");
            browser.panel("cluster?server=0", "Cluster");
            browser.untilText("h3", "Server 0");
            long running =
                    (Long) browser.script("return [...document.querySelectorAll('.detail table')][0].rows.length - 1");
            browser.press("Drain and move");
            browser.untilText("dialog p", running + " would move, as of log position");
            String planned = browser.text("dialog tbody tr:first-child td:first-child");
            assertThat(browser.text("dialog")).contains("Do it").contains("Leave it");
            browser.press("Leave it");
            browser.untilText("dd", "up");
            browser.press("Drain and move");
            browser.untilText("dialog p", "would move");
            browser.press("Do it");
            browser.until("no question", "return document.querySelector('dialog') === null");
            // All have moved, the first of the plan among them, to where the plan said is not promised: others come
            // too.
            browser.until(
                    "nothing runs there",
                    "const request = await fetch('/v1/requests?all_tenants=true&state=RUNNING&server=0', {headers:"
                            + " {authorization: 'Bearer ops-token'}}).then(answer => answer.json());"
                            + "return request.requests.length === 0");
            browser.panel("requests?tenant=acme&id=none", "Requests");
            browser.script("location.hash = 'requests'");
            browser.find("input[placeholder=any]").sendKeys(planned);
            browser.press("Find");
            browser.until("one request", "return document.querySelectorAll('main tbody')[0]?.rows.length >= 1");
            Command lost = Command.plain(Command.Kind.LOSE, 0, 1);
            group.node("n1")
                    .submit(new Operation.Change("lost", "ops", "", lost))
                    .get();
            browser.panel("group", "Group");
            browser.panel("requests", "Requests");
            browser.untilText("main td", "lost server 1");
            browser.panel("policies", "Policies");
            browser.untilText("h3", "Decides now: best-fit");
            // The form begins with what decides now, and offers no change to the same.
            String change = "const change = [...document.querySelectorAll('button')].find(one => one.textContent ==="
                    + " 'Switch to it'); ";
            String choose = "const to = document.querySelector('main label select'); to.value = arguments[0];"
                    + " to.dispatchEvent(new Event('change')); return true";
            browser.until(
                    "best-fit",
                    change + "return change?.disabled && document.querySelector('main label select').value"
                            + " === 'best-fit'");
            browser.script(choose, "first-fit");
            browser.press("Dry run on the last hour");
            browser.untilText("main [role=status] th", "first-fit");
            assertThat(browser.text("main [role=status]"))
                    .contains("nothing is changed", "best-fit", "difference", "Mean wait");
            browser.press("Switch to it");
            browser.press("Do it");
            browser.untilText("h3", "Decides now: first-fit");
            browser.until("nothing to change", change + "return change.disabled");
            browser.script("const full = document.querySelector('select[aria-label=when-full]'); full.value = 'queue';"
                    + " full.dispatchEvent(new Event('change'))");
            browser.press("Switch to it");
            browser.press("Do it");
            browser.until("queues", change + "return change.disabled");
            // Of the active policy its own values, not the defaults.
            browser.panel("group", "Group");
            browser.panel("policies", "Policies");
            browser.until(
                    "its values",
                    change + "return change?.disabled"
                            + " && document.querySelector('select[aria-label=when-full]').value === 'queue'");
            browser.panel("group", "Group");
            browser.untilText("td", "change the policy to first-fit");
            assertThat(browser.text("main")).contains("ops").contains("drain");
            assertThat(browser.complaints()).isEmpty();
        }
    }

    /** What was changed, to how much: lines of the trail as the service writes them. */
    @Test
    void theAuditTrailSaysToWhat() throws Exception {
        try (ConsoleGroup group = new ConsoleGroup(directory, 1, 2, ConsoleGroup.TOKENS, "ops-token");
                Browser browser = Browser.open()) {
            browser.go(group.url("n1"));
            Map<String, String> words = Map.of(
                    "resize server=17 capacity=8000,65536 devices=0,2",
                    "resize server 17 to 8 vCPU, 64 GiB, devices 0, 2",
                    "add-server site=1 capacity=500,512 name=n2 labels=gpu=A10,zone=a",
                    "add a server, n2, at site south, with 0.5 vCPU, 512 MiB, labels gpu=A10, zone=a",
                    "add-site pooled=40",
                    "add site, with pooled amounts 40",
                    "set-quota tenant=acme requests=10 amount.cpu_milli=4000",
                    "change the quota of tenant acme to 10 requests, 4 vCPU",
                    "set-quota tenant=* unlimited",
                    "change the quota of every tenant to no limit",
                    "drain-moving server=3 gap=1",
                    "drain server 3, moving its requests without a pause",
                    "drain-moving server=3 gap=1000000000 name=ams-c1",
                    "drain server ams-c1, moving a request every 1 s",
                    "heard-of-nothing like=this",
                    "heard-of-nothing like=this");
            for (Map.Entry<String, String> one : words.entrySet()) {
                List<?> shown = (List<?>) browser.script(
                        "const { auditCell } = await import(new URL('audit.js', document.querySelector("
                                + "'script[type=module]').src)); const cell = auditCell(arguments[0], {resources:"
                                + " ['cpu_milli', 'mem_mib'], sites: ['north', 'south']}); return [cell.textContent,"
                                + " cell.title]",
                        one.getKey());
                assertThat(shown).isEqualTo(List.of(one.getValue(), one.getKey()));
            }
        }
    }

    /** What is left after most have gone is scattered, so that servers can be emptied. */
    @Test
    void thePlanSaysWhichServersCouldBeEmptied() throws Exception {
        try (ConsoleGroup group = new ConsoleGroup(directory, 1, 30, ConsoleGroup.TOKENS, "ops-token");
                StowageClient client = group.client();
                Browser browser = Browser.open()) {
            group.fill("vm-", 120);
            List<Request> running = client.list(ListRequest.newBuilder()
                            .setAllTenants(true)
                            .setState(State.RUNNING)
                            .setPageSize(1000)
                            .build())
                    .get()
                    .getRequestsList();
            for (int i = 0; i < running.size(); i++) {
                if (i % 3 != 0) {
                    client.release(ReleaseRequest.newBuilder()
                                    .setTenant(running.get(i).getTenant())
                                    .setRequestId(running.get(i).getRequestId())
                                    .build())
                            .get();
                }
            }
            ConsolidationPlan plan = client.operations(
                            (OperationsStub stub, StreamObserver<ConsolidationPlan> answer) ->
                                    stub.planConsolidation(Empty.getDefaultInstance(), answer))
                    .get();
            assertThat(plan.getEmptiedCount()).isPositive();
            assertThat(plan.getServersInUse() - plan.getEmptiedCount()).isGreaterThanOrEqualTo(plan.getFewestServers());
            browser.go(group.url("n1") + "#cluster");
            // Whoever may look at all may ask for the plan.
            browser.token("eye-token");
            browser.panel("now", "Now");
            browser.press("Which servers could be emptied?");
            browser.untilText(
                    "main [role=status] p",
                    plan.getEmptiedCount() + (plan.getEmptiedCount() == 1 ? " server" : " servers")
                            + " could be emptied by " + plan.getMovesCount() + " move");
            assertThat(browser.text("main [role=status]"))
                    .contains(plan.getServersInUse() + " are in use")
                    .contains("at least " + plan.getFewestServers() + " are needed")
                    .contains("Nothing is changed by this");
            assertThat(browser.script("return document.querySelector('main [role=status] details tbody').rows.length"))
                    .isEqualTo((long) plan.getMovesCount());
            assertThat(browser.script("return document.querySelector('main [role=status] details tbody tr')"
                            + ".cells[1].textContent"))
                    .isEqualTo(plan.getMoves(0).getRequestId());
            browser.assertAccessible("a plan");
            // A tenant gets none, asked for or not.
            browser.go(group.url("n1"));
            browser.token("acme-token");
            browser.panel("now", "Now");
            assertThat(browser.text("main")).doesNotContain("could be emptied");
            assertThat(browser.script("return (await fetch('/v1/consolidation:plan',"
                            + " {headers: {authorization: 'Bearer acme-token'}})).status"))
                    .isEqualTo(403L);
        }
    }

    @Test
    void whatOneMayNotDoIsNotOfferedAndATenantSeesItsWorldOnly() throws Exception {
        try (ConsoleGroup group = new ConsoleGroup(directory, 1, 30, ConsoleGroup.TOKENS, "ops-token");
                Browser browser = Browser.open()) {
            group.fill("vm-", 60);
            browser.go(group.url("n1") + "#cluster");
            assertThat(browser.text("main")).doesNotContain("vm-");
            browser.until("question for a token", "return document.querySelector('#token') !== null");
            browser.find("#token").sendKeys("wrong-token");
            browser.press("Open the console");
            browser.untilText("main", "does not know the token");
            browser.token("acme-token");
            browser.untilText("main h2", "Cluster");
            // All that the service says to this page from now on.
            browser.script("globalThis.said = ''; const asked = fetch; globalThis.fetch = async (...given) => {"
                    + "const answer = await asked(...given);"
                    + "if (!String(given[0]).includes('watch')) answer.clone().text().then(text => { said += text; });"
                    + "return answer; }");
            for (Map.Entry<String, String> panel : PANELS.entrySet()) {
                browser.panel(panel.getKey(), panel.getValue());
                browser.until("content", "return document.querySelector('main').children.length > 1");
                assertThat(browser.text("main"))
                        .as(panel.getValue())
                        .doesNotContain("globex")
                        .doesNotContain("initech")
                        .doesNotContain("Switch to it");
            }
            browser.panel("requests", "Requests");
            browser.untilText("main td", "acme");
            browser.script("document.querySelector('main td a').click()");
            browser.untilText("aside h3", "vm-");
            browser.untilText("aside", "servers that are up");
            assertThat(browser.text("aside")).doesNotContain("have room").doesNotContain("Evict");
            // It watches its own.
            long before = (Long) browser.script("return stowage.live.changes");
            group.fill("more-", 60);
            browser.until("its changes", "return stowage.live.changes > arguments[0]", before);
            assertThat(browser.script("return stowage.live.waits.some(wait => wait.tenant !== 'acme')"))
                    .isEqualTo(false);
            assertThat(String.valueOf(browser.script("return said")))
                    .contains("acme")
                    .doesNotContain("globex")
                    .doesNotContain("initech");
            // Nowhere but in the memory of the page.
            assertThat(browser.script("return location.href + document.cookie + JSON.stringify(localStorage)"
                                    + " + JSON.stringify(sessionStorage) + document.documentElement.outerHTML")
                            .toString())
                    .doesNotContain("acme-token");
            browser.go(group.url("n1"));
            browser.token("eye-token");
            browser.panel("cluster?server=0", "Cluster");
            browser.untilText("h3", "Server 0");
            assertThat(browser.text("aside")).doesNotContain("Drain").doesNotContain("Evict");
        }
    }

    /** Every text of every answer but those that the page decides by is hostile, whatever the service would refuse. */
    @Test
    void hostileNamesAreTextOnly() throws Exception {
        try (ConsoleGroup group = new ConsoleGroup(directory, 1, 12, Access.OPEN, null);
                Browser browser = Browser.open()) {
            group.fill("vm-", 30);
            browser.go(group.url("n1") + "#cluster");
            browser.untilText("main h2", "Cluster");
            browser.script("""
                const hostile = '<img src=x onerror="hacked=1"><script>hacked=2</scr' + 'ipt>'
                    + '"\\'`${1}\\u202Egnp.exe\\u0000javascript:hacked=3';
                const kept = new Set(['state', 'status', 'role', 'phase', 'leader', 'nextPageToken', 'kind']);
                const mad = (value, key) => Array.isArray(value) ? value.map(one => mad(one, key))
                    : value && typeof value === 'object'
                        ? Object.fromEntries(Object.entries(value).map(([name, one]) => [
                            key === 'labels' ? name + hostile : name, mad(one, name)]))
                        : typeof value === 'string' && !/^-?[0-9]+$/.test(value) && !kept.has(key)
                            ? value + hostile : value;
                const asked = fetch;
                globalThis.refused = [];
                document.addEventListener('securitypolicyviolation',
                    event => refused.push(event.violatedDirective));
                globalThis.fetch = async (...given) => {
                    const answer = await asked(...given);
                    if (String(given[0]).includes('watch') || !answer.ok) return answer;
                    const said = mad(await answer.json(), '');
                    if (said.you) said.you.role = 'operator';
                    if (said.apis) said.apis = {};
                    if (said.kinds) said.kinds.forEach(kind => { kind.labels = {[hostile]: hostile}; });
                    return new Response(JSON.stringify(said), {status: 200});
                };
                """);
            for (Map.Entry<String, String> panel : PANELS.entrySet()) {
                browser.panel(panel.getKey(), panel.getValue());
                browser.until("content", "return document.querySelector('main').children.length > 1");
            }
            browser.panel("requests", "Requests");
            browser.untilText("main td", "<img src=x");
            browser.panel("group", "Group");
            browser.panel("cluster?server=0", "Cluster");
            browser.untilText("aside h3", "Server 0");
            browser.untilText("aside td", "<img src=x");
            // What turns the direction, and what cannot be seen, is written out.
            assertThat(browser.text("aside")).contains("\\u202egnp.exe\\u0000");
            browser.panel("now", "Now");
            browser.until("a curve", "return document.querySelectorAll('.chart canvas').length >= 3");
            assertThat(browser.script("return globalThis.hacked === undefined")).isEqualTo(true);
            assertThat(browser.script("return document.querySelectorAll('main img, main script').length"))
                    .isEqualTo(0L);
            assertThat(browser.script("return refused")).isEqualTo(List.of());
        }
    }

    /**
     * Two servers of two GPUs, one of which has .4 and 1 free, the other 1 and 1 but 3 cores; one that drains. For .6
     * of a GPU with a core 1.8 of the 3.4 that are free are of use (.6 on each whole one), for two GPUs with 4 cores
     * none.
     */
    private static void countsDevices(Browser browser) {
        browser.script("""
            globalThis.used = null;
            (async () => {
                const { deviceUse } = await import('/console/devices.js');
                const server = (status, cores, ...free) => ({ status, overcommitted: false,
                    capacity: { cpu_milli: '8000', gpu_milli: '2000' },
                    free: { cpu_milli: String(cores), gpu_milli: String(free.reduce((a, b) => a + b, 0)) },
                    devices: free.map((each, i) => ({ number: i, free: String(each) })) });
                const part = { demand: { cpu_milli: '1000', gpu_milli: '600' } };
                const pair = { demand: { cpu_milli: '4000', gpu_milli: '2000' } };
                const servers = [server('up', 8000, 400, 1000), server('up', 3000, 1000, 1000),
                    server('draining', 8000, 1000, 500)];
                used = deviceUse(servers, [pair, part, part, { demand: { cpu_milli: '1000' } }], 'gpu_milli', 1000);
            })();
            """);
        browser.until("figures", "return used !== null");
        assertThat(browser.script(
                        "return [used.devices, used.held, used.free, used.asked].map(x => x.toFixed(1)).join(' ')"))
                .isEqualTo("6.0 1.1 3.4 4.3");
        assertThat(browser.script("return used.kinds.map(k => k.name + ': ' + k.waiting + ', ' + k.lost.toFixed(1))"
                        + ".join('; ')"))
                .isEqualTo("1 vCPU, 0.6 GPU: 2, 1.6; 4 vCPU, 2 GPU: 1, 3.4");
    }

    @Test
    void axeFindsNothingSerious() throws Exception {
        try (ConsoleGroup group = new ConsoleGroup(directory, 1, 60, Access.OPEN, null);
                Browser browser = Browser.open()) {
            group.fill("vm-", 200);
            browser.go(group.url("n1"));
            // The first view.
            browser.untilText("main h2", "Now");
            for (boolean dark : new boolean[] {false, true}) {
                browser.dark(dark);
                browser.size(dark ? 390 : 1400, 900);
                for (Map.Entry<String, String> panel : PANELS.entrySet()) {
                    browser.panel(panel.getKey(), panel.getValue());
                    browser.until("content", "return document.querySelector('main').children.length > 1");
                    browser.assertAccessible(panel.getValue() + (dark ? ", dark, narrow" : ""));
                    assertThat(browser.script("return document.documentElement.scrollWidth <= innerWidth"))
                            .as("%s fits its width", panel.getValue())
                            .isEqualTo(true);
                }
                browser.panel("cluster?server=0", "Cluster");
                browser.untilText("aside h3", "Server 0");
                browser.assertAccessible("a server");
                browser.press("Drain and move");
                browser.untilText("dialog p", "would move");
                browser.assertAccessible("a question");
                browser.press("Leave it");
                browser.panel("requests", "Requests");
                browser.untilText("main td a", "vm-");
                browser.script("document.querySelector('main td a').click()");
                browser.untilText("aside h3", "vm-");
                browser.assertAccessible("a request");
            }
            countsDevices(browser);
            // With the keyboard alone.
            browser.panel("cluster", "Cluster");
            browser.until("cells", "return document.querySelector('canvas.cells')?.dataset.servers === '60'");
            browser.find("canvas.cells").sendKeys(org.openqa.selenium.Keys.END);
            browser.untilText(".line", "Server 59 in west");
            browser.find("canvas.cells").sendKeys(org.openqa.selenium.Keys.HOME, org.openqa.selenium.Keys.ENTER);
            browser.untilText("aside h3", "Server 0");
            assertThat(browser.complaints()).isEmpty();
        }
    }
}
