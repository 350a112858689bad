import { createClient, md5Hex } from '@linewarden/client'
import { login } from '@linewarden/contract'
import { md5, Passwords } from '../apps/server/src/areas/account/passwords.ts'
import { Peppers } from '../apps/server/src/areas/account/secrets.ts'
import { startStack } from '../tests/kit/stack.ts'
import { median } from './calibrate.ts'
import { report } from './report.ts'

const targets = { differencePercent: 5 }
/** A fifth failure would lock the account and be answered without a look at the password. */
const triesEach = 4
const calibrations = 40

/**
 * Whether the time of a refusal tells an account that is there from one that is not. Both are asked in turns, each pair in another order, so
 * that whatever else the machine does meets both. The calibrator is one password check with nothing around it.
 */
export async function loginTiming({ accounts = 60 }: { accounts?: number }): Promise<void> {
  const stack = await startStack({ plan: [] })
  const client = createClient({ baseUrl: stack.url, session: () => null })
  const names = Array.from({ length: accounts }, (_, i) => ({ there: `there${1000 + i}`, away: `aways${1000 + i}` }))
  for (const { there } of names)
    await stack.server.accounts.createAccount({ userName: there, password: `Bench-${there}-7`, kind: 'project' })
  const refusal = async (UserName: string): Promise<number> => {
    const began = performance.now()
    const outcome = await client.call(login, { body: { UserName, Password: md5Hex('wrong-password') } }).catch((error) => error)
    const took = performance.now() - began
    if (outcome?.message !== 'User name or password error') throw new Error(`not refused as expected: ${outcome?.message}`)
    return took
  }
  // The first ones pay for what is loaded with first use.
  for (let i = 0; i < 10; i++) await refusal(`warmup${i}`)
  const wrong: number[] = []
  const unknown: number[] = []
  for (let round = 0; round < triesEach; round++)
    for (const [index, { there, away }] of names.entries()) {
      const wrongFirst = (index + round) % 2 === 0
      if (wrongFirst) wrong.push(await refusal(there))
      unknown.push(await refusal(away))
      if (!wrongFirst) wrong.push(await refusal(there))
    }
  await stack.close()
  const wrongMs = median(wrong)
  const unknownMs = median(unknown)
  const differencePercent = (Math.abs(wrongMs - unknownMs) / Math.min(wrongMs, unknownMs)) * 100
  const rounded = (ms: number) => Math.round(ms * 100) / 100
  report('login-timing', {
    pairs: wrong.length,
    passwordCheckMs: rounded(await passwordCheckMs()),
    wrongMs: rounded(wrongMs),
    unknownMs: rounded(unknownMs),
    differencePercent: rounded(differencePercent),
    targets,
    verdict: differencePercent < targets.differencePercent,
  })
}

async function passwordCheckMs(): Promise<number> {
  const passwords = new Passwords(new Peppers(new Map([[1, Buffer.alloc(32, 7)]])))
  const stored = await passwords.hash(md5('right'))
  const took: number[] = []
  for (let i = 0; i < calibrations; i++) {
    const began = performance.now()
    await passwords.matches(md5('wrong'), stored)
    took.push(performance.now() - began)
  }
  return median(took)
}
