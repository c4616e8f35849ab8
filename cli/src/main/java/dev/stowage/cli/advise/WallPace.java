package dev.stowage.cli.advise;

import dev.stowage.cli.log.StopSignal;
import dev.stowage.study.advise.Pace;
import java.util.concurrent.TimeUnit;

/** The time of this machine, until a signal stops. */
public final class WallPace extends StopSignal implements Pace {
    @Override
    public boolean pause(long nanos) {
        try {
            return !await(nanos);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            stop();
            return false;
        }
    }

    @Override
    public void rest(long nanos) {
        try {
            TimeUnit.NANOSECONDS.sleep(nanos);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public long now() {
        return System.nanoTime();
    }
}
