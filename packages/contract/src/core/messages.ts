import type { Text } from '@linewarden/equipment'
import { foldOf } from '../terms/fold.ts'
import { refusals } from './names.ts'
import { requestRefusals } from './request-refusals.ts'
import { specifiedMessages } from './specified-messages.ts'

/** Every refusal a person may read. Keys are stable and go over the wire; `{name}` is filled from the refusal's detail. */
export const messages = foldOf(specifiedMessages, requestRefusals, refusals)

export type MessageKey = keyof typeof messages

/** True for a key of the catalogue. */
export const isMessageKey = (key: string): key is MessageKey => Object.hasOwn(messages, key)

/** The catalogue's text with `{name}` filled from `detail`. */
export function textOf(key: MessageKey, detail: Readonly<Record<string, unknown>> = {}): Text {
  const fill = (text: string, language: keyof Text) =>
    text.replace(/\{(\w+)\}/g, (whole, name: string) => (name in detail ? worded(detail[name], language) : whole))
  const { zh, en } = messages[key]
  return { zh: fill(zh, 'zh'), en: fill(en, 'en') }
}

/** A fact that is itself a text goes in in the language of the message. */
const worded = (fact: unknown, language: keyof Text): string =>
  typeof fact === 'object' && fact !== null && language in fact ? String((fact as Text)[language]) : String(fact)
