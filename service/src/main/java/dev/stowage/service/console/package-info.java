/** The console: a page for browsers that shows what the API says, served by the API's server. */
@NullMarked
package dev.stowage.service.console;

import org.jspecify.annotations.NullMarked;
