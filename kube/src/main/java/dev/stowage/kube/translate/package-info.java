/**
 * Translates nodes and pods for the engine: amounts, rules, and what is not supported. Pure functions of API objects;
 * nothing here talks to a server.
 */
@NullMarked
package dev.stowage.kube.translate;

import org.jspecify.annotations.NullMarked;
