/** Traces as agents run → files that can be replayed. */
export { type Capture, type CaptureOptions, type Received, startCapture } from './start-capture.ts'
