package dev.stowage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.cli.text.Version;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class StowageCommandTest {
    @Test
    void versionNamesTheBuildAndTheJvm() {
        Program version = Program.run("version");

        assertThat(version.code()).isZero();
        assertThat(version.out())
                .startsWith("stowage " + Version.number())
                .contains("Java " + Runtime.version())
                .doesNotContain("${");
    }

    @Test
    void helpGoesToStandardOutput() {
        Program help = Program.run("--help");

        assertThat(help.code()).isZero();
        assertThat(help.out()).contains("Usage: stowage");
        assertThat(help.err()).isEmpty();
        assertThat(Program.run()).isEqualTo(help);
    }

    @Test
    void aMistypedWordIsNamedWithWhatWasProbablyMeant() {
        assertThat(Program.run("guard").err())
                .startsWith("stowage: there is no command 'guard'; did you mean kube guard?");
        assertThat(Program.run("rnu").err()).startsWith("stowage: there is no command 'rnu'; did you mean run?");
        assertThat(Program.run("run", "--polcy", "bf-js").err())
                .startsWith("stowage: run has no option '--polcy'; did you mean --policy?");
        assertThat(Program.run("run", "--resample", "20").err())
                .startsWith("stowage: run has no option '--resample'; stowage size --resample has it");
        assertThat(Program.run("run", "--policy", "bestfit").err())
                .contains("--policy: unknown policy \"bestfit\"; did you mean best-fit?");
    }

    /** What was typed is named, what is allowed is said, and nothing is left of the parser's own words. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "run --replications x | --replications 'x' must be a whole number",
                "run --format xml | --format 'xml' must be one of table, json, csv",
                "advise --format xml | --format 'xml' must be one of table, json",
                "advise --format csv | --format 'csv' must be one of table, json",
                "new mine.yaml | an experiment is a YAML file that you write",
                "plan --energy-budget much | --energy-budget 'much' must be a number",
                "completion tcsh | SHELL 'tcsh' must be one of bash, zsh, fish",
                "restore | restore needs --data DIR and FILE",
                "servers --drain | --drain needs a value: SERVER",
                "kube advse | kube has no command 'advse'; did you mean advise?",
                "kube record --help | kube has no command 'record'",
                "nosuchcmd --help | there is no command 'nosuchcmd'",
                "nosuchcmd --help-all | there is no command 'nosuchcmd'",
                "servers --add rack | servers has no option '--add'; did you mean 'stowage servers add'?",
                "servers add | servers add needs SITE and AMOUNTS",
                "servers add --cpu 32 | servers add has no option '--cpu'",
                "servers label x | servers label needs KEY=VALUE,...",
                "servers drain 0 | servers has no command 'drain'; did you mean 'stowage servers --drain'?",
                "--run=x | there is no option '--run=x'; did you mean 'stowage run'?",
                "servers ad --help | servers has no command 'ad'; did you mean add?",
                "version now | version does not accept 'now' here",
                "plan --rack 1 --rack 2 | --rack may be given only once",
                "run --out a --seed 3 --out b | --out may be given only once",
                "run --set nothing | --set 'nothing' must be PATH=VALUE",
                "run quikstart | no such file; did you mean quickstart?",
                "run quickstart --trace-format swff --trace pom.xml | --trace-format: unknown format 'swff'; known:"
                        + " swf, ",
                "run quickstart --precision 2% --precision-of wait | --precision-of: unknown metric 'wait'; did you mean 'wait_max_s'?",
                "run --horizon 5x | '5x' has the unknown unit 'x'; allowed: ns, us, ms, s, min, h, d, weeks",
                "submit a --demand 4apples | --demand \"4apples\": '4apples' must be an amount such as",
                "submit a --demand 4coers | --demand \"4coers\": '4coers' has the unknown unit 'coers'; did you mean cores?",
                "quota acme 2GBi | AMOUNTS \"2GBi\": '2GBi' has the unknown unit 'GBi'; did you mean GiB?",
                "serve --config no-such.yaml | --config no-such.yaml: no such file",
                "serve --policy nosuch | --policy: unknown policy \"nosuch\"; known: ",
                "serve --servers lots | --servers 'lots' must be servers such as"
            })
    void aMistakeIsNamedAsItWasTyped(String arguments, String message) {
        Program wrong = Program.run(arguments.split(" "));
        assertThat(wrong.code()).as(wrong.err()).isEqualTo(2);
        assertThat(wrong.err()).contains(message).doesNotContain("Exception", "Invalid value", "Missing required");
    }

    @Test
    void badUsageIsExitCodeTwo() {
        Program unknown = Program.run("no-such-command");
        assertThat(unknown.code()).isEqualTo(2);
        assertThat(unknown.err()).contains("no-such-command");
    }
}
