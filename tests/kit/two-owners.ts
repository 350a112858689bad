import type { Client } from '@linewarden/client'
import { md5Hex } from '@linewarden/client'
import { addProject } from '@linewarden/contract'
import { smallPlan } from './small-plan.ts'
import type { Stack } from './stack.ts'
import { signedIn, startStack } from './stack.ts'

/** A stack with two project administrators who know nothing of each other. */
export interface TwoOwners {
  readonly stack: Stack
  readonly platform: Client
  readonly anna: Client
  readonly bert: Client
  /** Somebody made with `subOf`. */
  signIn(userName: string): Promise<Client>
  close(): Promise<void>
}

export async function startTwoOwners(options: Parameters<typeof startStack>[0] = {}): Promise<TwoOwners> {
  const stack = await startStack({ plan: smallPlan, ...options })
  const owner = async (userName: string) => {
    await stack.server.accounts.createAccount({ userName, password: 'Owner-7391', kind: 'project' })
    return signedIn(stack.url, { userName, password: 'Owner-7391' })
  }
  return {
    stack,
    platform: stack.client,
    anna: await owner('13900000001'),
    bert: await owner('13900000002'),
    signIn: (userName) => signedIn(stack.url, { userName, password: passwordOf(userName) }),
    close: stack.close,
  }
}

export const place = {
  PersonInCharge: '王工',
  ContactPhone: '0755-12345678',
  Province: '广东省',
  City: '深圳市',
  District: '南山区',
}

export const newProject = (client: Client, name: string) => client.call(addProject, { body: { Name: name, ...place } })

let made = 0

/** A valid IMEI, another one each time. */
export function newImei(): string {
  made += 1
  const body = `86${String(made).padStart(12, '0')}`
  const sum = [...body].reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 1 ? 2 : 1)
    return total + (value > 9 ? value - 9 : value)
  }, 0)
  return body + ((10 - (sum % 10)) % 10)
}

/** A gateway as its form sends it. */
export const newGateway = (number: string, name = `${number} 柜`) =>
  ({ Number: number, Name: name, IMEI: newImei(), AddMethod: 'manual', Platform: 'sparkplug', DeviceType: '4G' }) as const

const passwordOf = (userName: string) => `Pass-${userName}-7`

/** A sub-account as its form sends it; its password is known to `signIn`. */
export const subOf = (userName: string) => ({
  UserName: userName,
  NickName: `用户 ${userName}`,
  Password: md5Hex(passwordOf(userName)),
})
