/** A setting that cannot be used, by its own name, with what to do. */
export class BadSetting extends Error {
  constructor(name: string, value: string, need: string, needZh = '请检查') {
    super(`${name}=${value} cannot be used: ${need}. / 设置 ${name}=${value} 无效，${needZh}。`)
    this.name = 'BadSetting'
  }
}

export type Environment = Readonly<Record<string, string | undefined>>

/** A setting as it stands; throws BadSetting when it is empty. */
export const text = (env: Environment, name: string, otherwise: string) => {
  const value = env[name]
  if (value === undefined) return otherwise
  if (value.trim() === '') throw new BadSetting(name, value, 'it is empty; leave it out for the default')
  return value
}

/** A whole number within its bounds; throws BadSetting for anything else. */
export function whole(env: Environment, name: string, otherwise: number, min: number, max: number, orElse = ''): number {
  const value = env[name]
  if (value === undefined) return otherwise
  const number = Number(value)
  if (!/^\d+$/.test(value) || number < min || number > max)
    throw new BadSetting(name, value, `a whole number from ${min} to ${max}${orElse} is needed`)
  return number
}

/** A port, or null for `off`. */
export const portOrOff = (env: Environment, name: string, otherwise: number | null): number | null =>
  env[name] === 'off' ? null : env[name] === undefined ? otherwise : whole(env, name, 0, 0, 65_535, ', or off,')

/** `yes` or `no`. */
export function yesNo(env: Environment, name: string, otherwise: boolean): boolean {
  return oneOf(env, name, otherwise ? 'yes' : 'no', ['yes', 'no']) === 'yes'
}

/** One of the values, as it is written. */
export function oneOf<const V extends string>(env: Environment, name: string, otherwise: V, values: readonly V[]): V {
  const value = env[name]
  if (value === undefined) return otherwise
  const found = values.find((each) => each === value)
  if (found === undefined) throw new BadSetting(name, value, `one of ${values.join(', ')} is needed`)
  return found
}

/** A text of this pattern; `need` says in the refusal what is asked for. */
export function matching(env: Environment, name: string, otherwise: string, pattern: RegExp, need: string): string {
  const value = text(env, name, otherwise)
  if (!pattern.test(value)) throw new BadSetting(name, value, need)
  return value
}
