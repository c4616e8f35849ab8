/** Places pods on a real cluster: feeds the engine from watches, and carries out its decisions. */
@NullMarked
package dev.stowage.kube.schedule;

import org.jspecify.annotations.NullMarked;
