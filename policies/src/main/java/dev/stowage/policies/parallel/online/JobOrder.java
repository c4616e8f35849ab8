package dev.stowage.policies.parallel.online;

/** In which order waiting jobs are scheduled. */
enum JobOrder {
    /** The job that would be complete first, found anew after each. */
    SJF,
    /** In order of arrival, also after arrivals and ends of tasks. */
    FCFS,
    /** Least load first. */
    SLF,
    /** Largest load first. */
    LLF
}
