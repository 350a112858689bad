import type { TFunction } from 'i18next'
import i18next from 'i18next'
import { language } from '../../../ui/i18n.ts'
import { sourcesInChinese } from './source-words.ts'

/** What a figure does, in a few words; empty: its name says it. */
export const parameterMeaning = (t: TFunction<'warningRules'>, ruleKey: string, name: string): string =>
  i18next.exists(`warningRules:meanings.${ruleKey}.${name}`) ? t(`meanings.${ruleKey}.${name}` as 'meanings.contact.minLoad') : ''

/** The standard or measurement that a figure comes from. */
export const sourceText = (source: string): string => (language() === 'EN' ? source : (sourcesInChinese[source] ?? source))
