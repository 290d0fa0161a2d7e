/** For `setupFiles`: gives every test file the matchers. The plugin adds it by itself. */
import './matchers.ts'
import { endWithParent } from './end-with-parent.ts'

endWithParent(process)
