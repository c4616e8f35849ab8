package dev.stowage.cli.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.cli.Program;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class PlanCommandTest {
    private static final String SERVERS = "server,capacity,rack\ns1,35,a\ns2,10,a\ns3,30,b\n";
    private static final String JOB = "task,load_s\nt1,100\nt2,200\nt3,400\nt4,500\n";

    @TempDir
    private Path directory;

    private String file(String name, String text) throws IOException {
        return Files.writeString(directory.resolve(name), text).toString();
    }

    /** Figure 2 of the paper: 30 for each rack, the optimum is 20. */
    @Test
    void figure2() throws IOException {
        String rows = "row,limit,server\na,30,s1\na,30,s2\nb,30,s3\n";
        Path picture = directory.resolve("plan.svg");
        Program program = Program.run(
                "plan",
                file("job.csv", JOB),
                file("servers.csv", SERVERS),
                "--limits",
                file("rows.csv", rows),
                "--planner",
                "priced-search",
                "--picture",
                picture.toString());
        assertThat(program.err()).contains("wrote ");
        assertThat(program.code()).isZero();
        assertThat(program.out()).contains("Completion time  20.0000 s").contains("gap 0.00 %");
        assertThat(Files.readString(picture))
                .startsWith("<svg")
                .contains("t4 on s")
                .endsWith("</svg>\n");
    }

    @Test
    void jsonAndCsv() throws IOException {
        String job = file("job.csv", "task,load_s,power,s1,s2\na,10,1,1,0.5\nb,20,1,0.5,1\n");
        String servers = file("servers.csv", "server,capacity\ns1,1\ns2,1\n");
        Program json = Program.run("plan", job, servers, "--energy-budget", "30", "--format", "json");
        assertThat(json.code()).isZero();
        assertThat(json.out()).contains("\"completion_s\" : 20.0").contains("\"energy\" : 30.0");
        Program csv = Program.run("plan", job, servers, "--format", "csv", "--planner", "tapra-fast");
        assertThat(csv.out()).isEqualTo("task,server,amount,time_s,energy\na,s1,1.0,10.0,10.0\nb,s2,1.0,20.0,20.0\n");
    }

    @Test
    void thePageHasItsPictureAboveTheTasks() throws IOException {
        String job = file("job.csv", "task,load_s,power,s1,s2\na,10,1,1,0.5\nb,20,1,0.5,1\n");
        String servers = file("servers.csv", "server,capacity\ns1,1\ns2,1\n");
        Path page = directory.resolve("plan.html");
        assertThat(Program.run("plan", job, servers, "--report", page.toString())
                        .code())
                .isZero();
        assertThat(Files.readString(page))
                .contains("No plan completes it earlier.")
                .containsSubsequence("<ul>", "<svg", "<h2>Tasks", "<table", "<h2>How");
    }

    /** 90 units on at most 3 at a time take 30 s; divided among both servers it would be 100 / 6 = 16.7 s. */
    @Test
    void noPlanIsFasterThanItsLongestTaskAlone() throws IOException {
        String job = file("job.csv", "load_s,fast\n90,1\n10,1\n");
        String servers = file("servers.csv", "server,capacity,class\ns1,3,fast\ns2,3,fast\n");
        assertThat(Program.run("plan", job, servers).out())
                .contains("Lower bound      30.0000 s (the longest task alone); gap 0.00 %");
        assertThat(Program.run("plan", job, servers, "--format", "json").out())
                .contains("\"bound_s\" : 30.0")
                .contains("\"bound_from\" : \"longest_task\"");
    }

    @Test
    void infeasibleSaysHowMuchIsMissing() throws IOException {
        String job = file("job.csv", "load_s,fast\n10,0.5\n");
        String servers = file("servers.csv", "server,capacity,class\ns1,1,fast\n");
        Program program = Program.run("plan", job, servers, "--energy-budget", "19");
        assertThat(program.code()).isEqualTo(1);
        assertThat(program.out())
                .isEqualTo("INFEASIBLE: the least energy is 20.00, which is 1.00 more than the budget, 19.00\n");
        Program json = Program.run("plan", job, servers, "--energy-budget", "19", "--format", "json");
        assertThat(json.out()).contains("\"missing_energy\" : 1.0").contains("\"infeasible\"");
    }

    @Test
    void ofThePaper() {
        Program program = Program.run("plan", "--paper", "30x4", "--planner", "tapra-fast", "--seed", "2");
        assertThat(program.code()).isBetween(0, 1);
        assertThat(Program.run("plan", "--paper", "30x5").err()).contains("arity 5 of a fat tree, must be even");
        assertThat(Program.run("plan", "--paper", "30").code()).isEqualTo(2);
    }

    /** GLOP gives up on this one, warm and at its own tolerance. */
    @Test
    void aPlanIsNotLostWhereTheSolverGivesUp() {
        Program program = Program.run("plan", "--paper", "1000x16", "--seed", "13", "--planner", "tapra-fast");
        assertThat(program.code()).as(program.err()).isZero();
        assertThat(program.out()).contains("Completion time  ").contains("Lower bound      1,772.0569 s (");
        assertThat(program.out().indexOf("Lower bound"))
                .isGreaterThan(program.out().indexOf("Resource held"));
    }

    @Test
    void jsonSaysWhereTheBoundIsFrom() throws IOException {
        String job = file("job.csv", JOB);
        String servers = file("servers.csv", SERVERS);
        assertThat(Program.run("plan", job, servers, "--format", "json").out()).contains("\"bound_from\" : \"solver\"");
        assertThat(Program.run("plan", job, servers, "--format", "json", "--no-bound")
                        .out())
                .doesNotContain("bound");
    }

    /** As some programs write CSV. */
    @Test
    void aByteOrderMarkIsNoPartOfTheFirstColumn() throws IOException {
        String job = file("marked-job.csv", "\uFEFFload_s,task\n100,a\n");
        String servers = file("marked-servers.csv", "\uFEFFserver,capacity\ns1,4\n");
        String rows = file("marked-rows.csv", "\uFEFFrow,limit,server\nr,5,s1\n");
        Program program = Program.run("plan", job, servers, "--limits", rows, "--format", "csv");
        assertThat(program.code()).as(program.err()).isZero();
        assertThat(program.out()).contains("a,s1,4.0,25.0,100.0");
    }

    @Test
    void unknownColumnsAreRefused() throws IOException {
        String servers = file("servers.csv", "server,capacity,class\ns1,4,fast\ns2,4,slow\n");
        assertMistake(
                "unknown column 'Fast'; columns are task, load_s, power, and servers or their classes for"
                        + " efficiencies; did you mean fast?",
                file("j1.csv", "load_s,Fast,slow\n1,1,1\n"),
                servers);
        assertMistake("load_s 0 must be above 0", file("zero.csv", "load_s\n0\n"), servers);
        assertMistake("load_s -5 must be a number above 0", file("minus.csv", "load_s\n-5\n"), servers);
        assertMistake("power -5 must be a number of at least 0", file("p.csv", "load_s,power\n1,-5\n"), servers);
        assertMistake("unknown column 'powr'", file("j2.csv", "load_s,powr\n1,1\n"), servers);
        assertMistake("did you mean power?", file("j3.csv", "load_s,powr\n1,1\n"), servers);
        assertMistake(
                "unknown column 'capcity'; columns are server, capacity, rack, pod and class; did you mean"
                        + " capacity?",
                file("j4.csv", "load_s\n1\n"),
                file("s1.csv", "server,capacity,capcity\ns1,4,4\n"));
        assertMistake(
                "unknown column 'coeficient'",
                file("j5.csv", "load_s\n1\n"),
                servers,
                "--limits",
                file("r1.csv", "row,limit,server,coeficient\nr,5,s1,2\n"));
        assertMistake(
                "'power' is a column of the job and cannot be the name of a server or class",
                file("j6.csv", "load_s,power\n1,1\n"),
                file("s2.csv", "server,capacity\npower,4\n"));
    }

    @Test
    void whatPaperDrawsCannotBeGiven() {
        for (String option : List.of("--energy-budget", "--center", "--pod", "--rack", "--fat-tree", "--limits")) {
            String value = option.equals("--fat-tree") ? "4" : "0.5";
            assertMistake("leave out " + option + " " + value, "--paper", "10x4", option, value);
        }
    }

    /** Numbers whose quotients and sums would exceed the range of doubles. */
    @Test
    void extremeNumbersAreRefused() throws IOException {
        String job = file("job.csv", JOB);
        String servers = file("servers.csv", SERVERS);
        String without = file("j1.csv", "load_s,power\n3,0\n");
        assertMistake("tasks whose power is 0: leave the budget out", without, servers, "--energy-budget", "0");
        assertMistake("--energy-budget 1.0E308 must be from", job, servers, "--energy-budget", "1e308");
        assertMistake("--energy-budget 1.0E-300 must be from", job, servers, "--energy-budget", "1e-300");
        assertMistake(
                "line 2: capacity 1e308 must be from 1.0E-9 to 1.0E15",
                job,
                file("s1.csv", "server,capacity\ns1,1e308\n"));
        assertMistake(
                "line 3: capacity 1e-300 must be from 1.0E-9 to 1.0E15",
                job,
                file("s2.csv", "server,capacity\ns1,1\ns2,1e-300\n"));
        assertMistake("--center must be from 0.000000001 to 1", job, servers, "--center", "1e-300");
        assertMistake(
                "load_s 1e-300 must be from 1.0E-9 to 1.0E15; choose", file("j2.csv", "load_s\n1e-300\n"), servers);
        assertMistake(
                "power 1e-300 must be from 1.0E-9 to 1.0E15, or 0;",
                file("j6.csv", "load_s,power\n1,1e-300\n"),
                servers);
        assertMistake("power 1e300 must be", file("j3.csv", "load_s,power\n1,1e300\n"), servers);
        assertMistake("efficiency 1.0E-8 on s1 must be", file("j4.csv", "load_s,s1,s2,s3\n1,1e-8,1,1\n"), servers);
        // The widest that is allowed is planned, and its bound certified, whatever the solvers say.
        Program program = Program.run(
                "plan",
                file("j5.csv", "load_s,power,s1,s2\n1e15,1e15,1e-6,1\n1e-9,0,1,1e-6\n"),
                file("s3.csv", "server,capacity\ns1,1e15\ns2,1e-9\n"));
        assertThat(program.code()).as(program.err()).isZero();
        assertThat(program.out()).contains("Lower bound");
    }

    @Test
    void mistakes() throws IOException {
        String servers = file("servers.csv", SERVERS);
        String job = file("job.csv", JOB);
        assertMistake("line 2: load_s -3 must be a number above 0", file("bad1.csv", "load_s\n-3\n"), servers);
        assertMistake("line 2: load_s 0 must be above 0", file("bad0.csv", "load_s\n0\n"), servers);
        assertMistake("line 3: load_s NaN must be", file("bad9.csv", "load_s\n1\nNaN\n"), servers);
        assertMistake("line 2: load_s 'x' is not a number", file("bad2.csv", "load_s\nx\n"), servers);
        assertMistake("separate columns by commas", file("bad10.csv", "task;load_s\na;3\n"), servers);
        assertMistake("no rows; it must have a header with load_s", file("bad11.csv", "load_s\n"), servers);
        assertMistake("line 2: 2 fields, and the header has 1", file("bad12.csv", "load_s\n1,2\n"), servers);
        assertMistake("line 3: task 'a' is in line 2 too", file("bad13.csv", "task,load_s\na,1\na,2\n"), servers);
        assertMistake("is a directory", directory.toString(), servers);
        assertMistake(
                "column load_s is missing; the columns are load; did you mean load?",
                file("bad3.csv", "load\n3\n"),
                servers);
        assertMistake("no efficiency column for server 's2'", file("bad4.csv", "load_s,s1\n3,1\n"), servers);
        assertMistake(
                "line 3: task 'b' can run on no server: its efficiency is 0 on all 3",
                file("bad5.csv", "task,load_s,s1,s2,s3\na,3,0,1,0\nb,3,0,0,0\n"),
                servers);
        assertMistake(
                "line 3: capacity 0 must be above 0; leave the server out",
                job,
                file("bad6.csv", "server,capacity\na,1\nb,0\n"));
        assertMistake("server 'a' is in line 2 too", job, file("bad7.csv", "server,capacity\na,1\na,3\n"));
        assertMistake("--pod needs the column pod", job, servers, "--pod", "0.2");
        assertMistake("--rack must be from 0.000000001 to 1", job, servers, "--rack", "1.5");
        assertMistake(
                "line 2: limit 0 must be above 0: row 'r' would allow nothing",
                job,
                servers,
                "--limits",
                file("bad8.csv", "row,limit,server\nr,0,s1\n"));
        assertMistake("--planner 'best' must be one of", job, servers, "--planner", "best");
        assertMistake("EQUAL_SHARE is for the planners", job, servers, "--allocation", "equal-share");
        assertMistake("plan needs the files JOB and SERVERS", job);
        assertMistake(
                "server 's3' is in no limit", job, servers, "--no-server-rows", "--limits", rows("r,5,s1\nr,5,s2\n"));
        assertMistake("server 's1' is in row 'r' twice", job, servers, "--limits", rows("r,5,s1\nr,5,s1\n"));
        assertMistake("limit 6.0 of row 'r' contradicts 5.0 above", job, servers, "--limits", rows("r,5,s1\nr,6,s2\n"));
        assertMistake("there is no server 's9'", job, servers, "--limits", rows("r,5,s9\n"));
        assertMistake("--fat-tree: arity 3 of a fat tree, must be even", job, servers, "--fat-tree", "3");
        assertMistake("--fat-tree 2 has 2 servers", job, servers, "--fat-tree", "2");
        assertMistake("--paper generates job and servers", job, servers, "--paper", "10x4");
        assertMistake("must be at most 50,000,000 pairs", "--paper", "999999x256");
        assertMistake("--energy-budget -1.0 must be at least 0", job, servers, "--energy-budget", "-1");
        assertMistake(
                "none.csv: no such file", job, directory.resolve("none.csv").toString());
    }

    private int files;

    private String rows(String lines) throws IOException {
        return file("rows" + files++ + ".csv", "row,limit,server\n" + lines);
    }

    /** A fat tree of arity 4 and the same racks and pods as columns. */
    @Test
    void aFatTreeIsItsRacksAndPods() throws IOException {
        StringBuilder plain = new StringBuilder("server,capacity\n");
        StringBuilder columns = new StringBuilder("server,capacity,rack,pod\n");
        for (int j = 0; j < 15; j++) {
            String server = "s" + j + "," + (1 + j % 5);
            plain.append(server).append('\n');
            columns.append(server + "," + j / 2 + "," + j / 4 + "\n");
        }
        String job = file("job.csv", JOB);
        Program tree = Program.run(
                "plan",
                job,
                file("plain.csv", plain.toString()),
                "--fat-tree",
                "4",
                "--rack",
                "0.3",
                "--pod",
                "0.2",
                "--center",
                "0.2");
        Program named = Program.run(
                "plan",
                job,
                file("columns.csv", columns.toString()),
                "--rack",
                "0.3",
                "--pod",
                "0.2",
                "--center",
                "0.2");
        assertThat(tree.code()).as(tree.err()).isZero();
        assertThat(tree.out()).isEqualTo(named.out()).contains("Completion time");
    }

    /** A seed that nothing uses would look as if it changed the plan. */
    @Test
    void aSeedIsForWhatDraws() throws IOException {
        String job = file("job.csv", JOB);
        String servers = file("servers.csv", SERVERS);
        for (String planner : List.of("tapra", "tapra-fast", "min-min")) {
            assertMistake(
                    "--seed 4: planner " + planner + " uses no random numbers; leave it out",
                    job,
                    servers,
                    "--planner",
                    planner,
                    "--seed",
                    "4");
        }
        assertMistake("--planner 'gas' must be one of", job, servers, "--planner", "gas", "--seed", "4");
        assertThat(Program.run("plan", job, servers, "--planner", "priced-search", "--seed", "4")
                        .code())
                .isZero();
    }

    @Test
    void smallNumbersAreNotNothing() throws IOException {
        Program program =
                Program.run("plan", file("job.csv", "load_s\n5\n"), file("servers.csv", "server,capacity\na,1e-9\n"));
        assertThat(program.code()).as(program.err()).isZero();
        assertThat(program.out())
                .contains("1.00e-09  5,000,000,000.000    5.00\n")
                .contains("Resource held    1.00e-09\n");
        Program large =
                Program.run("plan", file("job.csv", "load_s\n5\n"), file("large.csv", "server,capacity\na,1e15\n"));
        assertThat(large.out())
                .contains("Completion time  5.00e-15 s\n")
                .contains("Lower bound      5.00e-15 s (")
                .endsWith("gap 0.00 %\n");
    }

    private static void assertMistake(String message, String... arguments) {
        String[] all = new String[arguments.length + 1];
        all[0] = "plan";
        System.arraycopy(arguments, 0, all, 1, arguments.length);
        Program program = Program.run(all);
        assertThat(program.err()).contains(message);
        assertThat(program.code()).isEqualTo(2);
    }

    /**
     * The budget is .15 % above the least energy: the gain from more energy is printed and drawn, and so are both
     * bounds.
     */
    @Test
    void aTightBudget() throws IOException {
        Path picture = directory.resolve("energy.svg");
        Program program = Program.run(
                "plan",
                "--paper",
                "100x8",
                "--seed",
                "12",
                "--planner",
                "thrifty",
                "--whole-task-bound",
                "--energy-picture",
                picture.toString());
        assertThat(program.code()).isZero();
        assertThat(program.out())
                .containsPattern(
                        "Tight budget +0.15 % above the least energy, .*; with 1 % more, planner thrifty\\s+completes")
                .containsPattern("Lower bound +1,6\\d\\d\\.\\d+ s \\(tasks not divided\\)")
                .containsPattern("A weaker bound +1,393\\.\\d+ s \\(relaxed program\\)");
        assertThat(Files.readString(picture)).contains("Completion time by energy budget");
        Program both = Program.run("plan", "--paper", "100x8", "--no-bound", "--whole-task-bound");
        assertThat(both.code()).isEqualTo(2);
        assertThat(both.err()).contains("leave out one");
    }
}
