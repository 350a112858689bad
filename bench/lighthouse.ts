import { mkdir, writeFile } from 'node:fs/promises'
import { md5Hex } from '@linewarden/client'
import { login } from '@linewarden/contract'
import type { RunnerResult } from 'lighthouse'
import lighthouse, { desktopConfig } from 'lighthouse'
import { launch } from 'puppeteer-core'
import { findOrInstallChromium } from '../scripts/chromium.ts'
import { startStack } from '../tests/kit/stack.ts'
import { median } from './calibrate.ts'

export const auditTargets = { performance: 95, accessibility: 100, bestPractices: 100 }

export interface Audit {
  readonly performance: number
  readonly accessibility: number
  readonly bestPractices: number
  /** What did not get all its points, worst first. */
  readonly short: readonly string[]
}

export const reaches = (audit: Audit): boolean =>
  audit.performance >= auditTargets.performance &&
  audit.accessibility >= auditTargets.accessibility &&
  audit.bestPractices >= auditTargets.bestPractices

/**
 * Lighthouse's desktop audit of the login and, signed in, the live page of the demo's fleet; the medians of some rounds. The calibrator is
 * Lighthouse's own figure of how fast this machine runs JavaScript (a desktop: 1,500 and more).
 */
export async function auditPages(rounds: number): Promise<{ audits: Record<string, Audit>; benchmarkIndex: number }> {
  const stack = await startStack()
  const { UserID, Token } = await stack.client.call(login, {
    body: { UserName: stack.admin.userName, Password: md5Hex(stack.admin.password) },
  })
  const session = JSON.stringify({ userId: UserID, token: Token })
  const machine: number[] = []
  const audits = {
    login: await auditOf(`${stack.url}/login`, null),
    realtime: await auditOf(`${stack.url}/devmon/realtime`, session),
  }
  await stack.close()
  return { audits, benchmarkIndex: median(machine) }

  async function auditOf(url: string, kept: string | null): Promise<Audit> {
    const found: RunnerResult['lhr'][] = []
    for (let round = 0; round < rounds; round++) {
      const browser = await launch({
        executablePath: findOrInstallChromium(),
        args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-component-update'],
      })
      const page = await browser.newPage()
      if (kept) await page.evaluateOnNewDocument((text) => localStorage.setItem('linewarden.session', text), kept)
      const flags = { onlyCategories: ['performance', 'accessibility', 'best-practices'], logLevel: 'error' } as const
      const result = await lighthouse(url, { ...flags, onlyCategories: [...flags.onlyCategories] }, desktopConfig, page)
      await browser.close()
      if (!result) throw new Error(`no audit of ${url}`)
      machine.push(result.lhr.environment.benchmarkIndex)
      if (process.env.BENCH_PROFILE) {
        await mkdir(process.env.BENCH_PROFILE, { recursive: true })
        await writeFile(`${process.env.BENCH_PROFILE}/lighthouse-${url.split('/').at(-1)}-${round}.json`, String(result.report))
      }
      found.push(result.lhr)
    }
    const score = (category: string) => Math.round(median(found.map((each) => each.categories[category]?.score ?? 0)) * 100)
    const short = Object.values(found[0]?.audits ?? {})
      .filter(({ score, scoreDisplayMode }) => score !== null && score < 0.9 && scoreDisplayMode !== 'informative')
      .sort((a, b) => (a.score ?? 0) - (b.score ?? 0))
    return {
      performance: score('performance'),
      accessibility: score('accessibility'),
      bestPractices: score('best-practices'),
      short: short.map(({ id, displayValue }) => (displayValue ? `${id}: ${displayValue}` : id)),
    }
  }
}
