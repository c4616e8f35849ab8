package dev.stowage.service.state;

/** A request that is in the system, or was in it at a position that {@link Versions} still knows. */
final class Tracked {
    final long number;
    /** Of its name, see {@link Hash#ofName}. */
    final long hash;
    /** As it is now. */
    Request now;
    /** Number of its last change in {@link Versions}. */
    long lastChange = Versions.NONE;

    Tracked(Request request) {
        number = request.number();
        hash = Hash.ofName(request.tenant(), request.id());
        now = request;
    }
}
