/** The script of every page. The order of imports is the order of event listeners. */
import './page.js';
import './scan.js';
import './guard.js';
import './keys.js';
import './post.js';
import './check.js';
import './seen.js';
import './notify.js';
import './refresh.js';
import './alive.js';
import './picker.js';
import './message.js';
import './bulk.js';
