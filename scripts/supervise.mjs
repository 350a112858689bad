import { spawn } from 'node:child_process'

/** With this the server says that it ended because it could not trust itself any more, and wants to be started again. */
export const startMeAgain = 70

/**
 * Runs the program until it is done, and starts it anew when it ended because it could not be trusted any more, or was ended by the system:
 * after a second, and each time twice as long up to half a minute. What could not start in the first place (1), or was told to stop, stays
 * down. Resolves with its exit code.
 */
export function supervise(program, args, { options, signals, say, waitMs = 1_000, maxWaitMs = 30_000, calmMs = 300_000 }) {
  return new Promise((resolve) => {
    let told = false
    let wait = waitMs
    let child = run()
    for (const signal of signals)
      process.on(signal, () => {
        // Without a terminal it tells the program to read its certificates anew.
        told ||= signal !== 'SIGHUP'
        // Of Ctrl-C the terminal tells the program itself.
        if (signal !== 'SIGINT') child.kill(signal)
      })

    function run() {
      const startedAt = Date.now()
      const started = spawn(program, args, options)
      started.on('error', (error) => {
        say(error.message)
        resolve(1)
      })
      started.on('exit', (code, signal) => {
        if (told || (code !== startMeAgain && !isCrash(code, signal))) return resolve(signal ? 1 : (code ?? 1))
        if (Date.now() - startedAt > calmMs) wait = waitMs
        say(`The server ended (${signal ?? code}) and is started again in ${wait / 1_000} s. / 服务器异常退出，稍后自动重启。`)
        setTimeout(() => {
          if (told) return resolve(0)
          child = run()
        }, wait)
        wait = Math.min(maxWaitMs, wait * 2)
      })
      return started
    }
  })
}

/** Ended by the system or by its own runtime: out of memory, a fault in native code. */
const isCrash = (code, signal) => (signal !== null && signal !== 'SIGHUP') || code >= 128
