/** The console: a page for browsers that shows the data of the API, served by the API's server. */
@NullMarked
package dev.stowage.service.console;

import org.jspecify.annotations.NullMarked;
