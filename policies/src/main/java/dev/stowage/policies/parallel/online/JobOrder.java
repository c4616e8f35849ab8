package dev.stowage.policies.parallel.online;

/** The order in which waiting jobs are scheduled. */
enum JobOrder {
    /** The job that would complete first, determined anew after each. */
    SJF,
    /** In order of arrival, also after arrivals and ends of tasks. */
    FCFS,
    /** Least load first. */
    SLF,
    /** Largest load first. */
    LLF
}
