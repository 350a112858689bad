import { defineConfig } from '@playwright/test'
import { findOrInstallTestBrowser } from './scripts/chromium.ts'

export default defineConfig({
  testDir: 'tests/e2e',
  globalSetup: './apps/server/src/store/core/test-postgres.ts',
  // No facts about the plant: a machine that is several times as slow as usual, or stands still for a while, still comes to the end.
  timeout: 360_000,
  expect: { timeout: 60_000 },
  // Two fifths of the time a browser waits for equipment or a clock: three side by side use two cores.
  workers: 3,
  forbidOnly: Boolean(process.env.CI),
  outputDir: 'test-results',
  use: {
    launchOptions: {
      executablePath: findOrInstallTestBrowser(),
      // Names of downloaded files are UTF-8 whatever the language of the shell is.
      env: { ...process.env, LANG: 'C.UTF-8' } as Record<string, string>,
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
    // A worker would answer in the tests' stead; tests/e2e/app/offline.spec.ts has one.
    serviceWorkers: 'block',
    // Recording costs a fifth of the time; what CI says of a failure is the picture and the page's outline.
    trace: process.env.CI ? 'off' : 'retain-on-failure',
    screenshot: 'only-on-failure',
    // A step that waits in vain says which it is; without it the test's own end says nothing.
    actionTimeout: 90_000,
    navigationTimeout: 90_000,
    locale: 'zh-CN',
    timezoneId: 'Asia/Shanghai',
  },
})
