import { isIP } from 'node:net'
import type { Environment } from './environment.ts'
import { BadSetting, text } from './environment.ts'

/** Addresses and networks, as `10.0.0.2, 2001:db8::/64`. `otherwise`: what else the setting may be, for the refusal. */
export function networksSetting(env: Environment, name: string, otherwise = ''): string {
  const value = text(env, name, '')
  const named = value.split(',').map((each) => each.trim())
  if (named.every(isNetwork)) return named.join(', ')
  throw new BadSetting(
    name,
    value,
    `${otherwise}addresses and networks such as 10.0.0.2, 2001:db8::/64 are needed`,
    '应为 IP 地址或网段，多个以逗号分隔，例如 10.0.0.2, 2001:db8::/64',
  )
}

function isNetwork(text: string): boolean {
  const [, address = '', prefix] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? []
  const version = isIP(address)
  // Everybody is nobody that was named.
  return version !== 0 && (prefix === undefined || (Number(prefix) > 0 && Number(prefix) <= (version === 4 ? 32 : 128)))
}
