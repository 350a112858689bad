import type { Text } from '../family.ts'

/**
 * Why an alarm is there and what is to be done about it (rationalisation as in IEC 62682, ISA-18.2). Its delays and its limit are those of the
 * family; here stands where the limit comes from.
 */
export interface AlarmRationale {
  readonly key: string
  readonly cause: Text
  /** What happens if nobody does anything. */
  readonly consequence: Text
  /** What to do, in the order in which it is done. */
  readonly action: Text
  /** How much time there is. */
  readonly time: Text
  /** Why it has this priority. */
  readonly priority: Text
  /** Where the limit comes from. */
  readonly basis: Text
}

type Both = readonly [zh: string, en: string]

/** One entry of the sheet, both languages side by side. */
export const rationale = (
  key: string,
  texts: { readonly [field in Exclude<keyof AlarmRationale, 'key'>]: Both },
): AlarmRationale => {
  const text = ([zh, en]: Both): Text => ({ zh, en })
  return {
    key,
    cause: text(texts.cause),
    consequence: text(texts.consequence),
    action: text(texts.action),
    time: text(texts.time),
    priority: text(texts.priority),
    basis: text(texts.basis),
  }
}
