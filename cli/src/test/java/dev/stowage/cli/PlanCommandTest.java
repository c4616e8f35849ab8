package dev.stowage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
        assertThat(program.err()).contains("picture: ");
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
    void infeasibleSaysHowMuchIsMissing() throws IOException {
        String job = file("job.csv", "load_s,fast\n10,0.5\n");
        String servers = file("servers.csv", "server,capacity,class\ns1,1,fast\n");
        Program program = Program.run("plan", job, servers, "--energy-budget", "19");
        assertThat(program.code()).isEqualTo(1);
        assertThat(program.out())
                .isEqualTo("INFEASIBLE: no placement takes less energy than 20.0000000, 1.00000000 more than the budget"
                        + " 19.0000000\n");
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

    @Test
    void mistakes() throws IOException {
        String servers = file("servers.csv", SERVERS);
        String job = file("job.csv", JOB);
        assertMistake("load -3.0, must be a number above 0", file("bad1.csv", "load_s\n-3\n"), servers);
        assertMistake("line 2: load_s 'x' is not a number", file("bad2.csv", "load_s\nx\n"), servers);
        assertMistake("column load_s is missing; there are load", file("bad3.csv", "load\n3\n"), servers);
        assertMistake("no efficiency column for server 's2'", file("bad4.csv", "load_s,s1\n3,1\n"), servers);
        assertMistake(
                "task 0 can run on no server: its efficiency is 0 on 3",
                file("bad5.csv", "load_s,s1,s2,s3\n3,0,0,0\n"),
                servers);
        assertMistake("line 3: capacity 0.0, must be above 0", job, file("bad6.csv", "server,capacity\na,1\nb,0\n"));
        assertMistake("server 'a' is in line 2 too", job, file("bad7.csv", "server,capacity\na,1\na,3\n"));
        assertMistake("--pod needs the column pod", job, servers, "--pod", "0.2");
        assertMistake("--rack 1.5, must be above 0 and at most 1", job, servers, "--rack", "1.5");
        assertMistake(
                "limit 0.0 of row 'r' allows nothing",
                job,
                servers,
                "--limits",
                file("bad8.csv", "row,limit,server\nr,0,s1\n"));
        assertMistake("--planner 'best' must be one of", job, servers, "--planner", "best");
        assertMistake("EQUAL_SHARE is for the planners", job, servers, "--allocation", "equal-share");
        assertMistake("plan needs the files JOB and SERVERS", job);
        assertMistake("energy budget -1.0, must be at least 0", job, servers, "--energy-budget", "-1");
        assertMistake("cannot be read", job, directory.resolve("none.csv").toString());
    }

    private static void assertMistake(String message, String... arguments) {
        String[] all = new String[arguments.length + 1];
        all[0] = "plan";
        System.arraycopy(arguments, 0, all, 1, arguments.length);
        Program program = Program.run(all);
        assertThat(program.err()).contains(message);
        assertThat(program.code()).isEqualTo(2);
    }
}
