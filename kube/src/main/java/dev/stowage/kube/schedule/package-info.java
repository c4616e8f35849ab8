/** Pods placed on a real cluster: the engine fed by watches, and what it decides carried out. */
@NullMarked
package dev.stowage.kube.schedule;

import org.jspecify.annotations.NullMarked;
