package dev.stowage.sim.experiment;

import dev.stowage.core.policy.StateReader;
import dev.stowage.core.policy.StateWriter;
import org.jspecify.annotations.Nullable;

/**
 * Another machine's answer about a unit. A failed run is an answer, too: it would fail anywhere, and a cluster engine
 * that saw an exception would retry it again and again.
 *
 * @param place which machine
 * @param unit the unit's bytes; null if there is none
 * @param requests that arrived in its run
 * @param failure why there is no unit; empty if there is one
 * @param isInput whether the reason is that machine's input, which can be corrected, and not the run
 */
record RemoteAnswer(String place, byte @Nullable [] unit, long requests, String failure, boolean isInput) {
    static RemoteAnswer unit(String place, byte[] unit, long requests) {
        return new RemoteAnswer(place, unit, requests, "", false);
    }

    static RemoteAnswer failure(String place, Throwable why, boolean isInput) {
        String message = why.getMessage();
        String words = message == null || message.isBlank() ? why.toString() : message;
        return new RemoteAnswer(place, null, 0, words, isInput);
    }

    byte[] bytes() {
        StateWriter out = new StateWriter();
        out.putString(place);
        out.putString(failure);
        out.putNumber(isInput ? 1 : 0);
        out.putNumber(requests);
        byte[] body = unit == null ? new byte[0] : unit;
        out.putBytes(body, body.length);
        return out.toByteArray();
    }

    static RemoteAnswer read(byte[] bytes) {
        StateReader in = new StateReader(bytes);
        String place = in.getString();
        String failure = in.getString();
        boolean isInput = in.getNumber() == 1;
        long requests = in.getNumber();
        byte[] body = in.getBytes();
        return new RemoteAnswer(place, failure.isEmpty() ? body : null, requests, failure, isInput);
    }
}
