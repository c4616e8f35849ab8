package dev.stowage.policies.lifetime;

/** Which servers go first. */
enum LifetimeRule {
    /** Those that the request keeps in use least beyond their expected end, while expectations are trusted. */
    EXTENSION,
    /** The same in steps of 0, 1, 10 and 100 hours, whatever comes of expectations ({@link LeastExtension}). */
    NILAS,
    /** By classes of servers that their first request sets ({@link Lava}). */
    LAVA,
    /** The nearest class of the time until the server is empty ({@link Alignment}). */
    ALIGNMENT,
    /** First fit among those of the same class of run time ({@link DurationClasses}). */
    DURATION,
    /** First fit among servers for all or, where many are of one type, those for this type ({@link Hybrid}). */
    HYBRID
}
