package dev.stowage.cli.replay;

import dev.stowage.cli.text.Console;
import dev.stowage.core.engine.Effects;
import dev.stowage.policies.Policies;
import dev.stowage.sim.driver.Recording;
import java.nio.file.Path;
import java.util.Locale;

/** Replays a recorded run. */
final class Replay {
    private final Path log;
    private final Console console;

    Replay(Path log, Console console) {
        this.log = log;
        this.console = console;
    }

    /** Whether a new engine makes the recorded decisions, as far as the recording goes. */
    boolean check() {
        Recording recording = Recording.replay(log, new Policies(), Effects.NONE);
        String done = String.format(
                Locale.ROOT,
                "%s: %s, %,d commands, digest %s",
                log,
                recording.setup().policy(),
                recording.commands(),
                recording.digest());
        if (recording.recordedDigest() == null) {
            console.note(
                    "stowage: " + done + "; the recording has no end: its run was interrupted or the file was cut, and"
                            + " nothing could be compared");
        } else if (recording.agrees()) {
            console.out().println(done + ": the same as recorded");
        } else {
            console.note("stowage: " + done + ", but " + recording.recordedDigest()
                    + " was recorded; another version of Stowage or of the policy decides differently");
        }
        console.out().flush();
        return recording.agrees();
    }
}
