import i18next from 'i18next'
import { beforeAll, expect, test } from 'vitest'
import { civilText, loggedText } from './civil-text.ts'
import { automation } from './texts.ts'

beforeAll(async () => {
  await i18next.init({ lng: 'zh', resources: { zh: { automation: automation.zh } } })
})

const now = Date.parse('2026-11-24T12:00+08:00')
const at = (text: string) => Date.parse(`${text}+08:00`)

test('a list says today and yesterday, a log always the date, with the year where it is another one', () => {
  const of = (text: string) =>
    [civilText, loggedText].map((each) => Object.values(each(at(text), 'Asia/Shanghai', now)).join(' '))
  expect(of('2026-11-24T08:05:00')).toEqual(['今天 08:05', '11-24 周二 08:05'])
  expect(of('2026-11-23T08:05:07')).toEqual(['昨天 08:05:07', '11-23 周一 08:05:07'])
  expect(of('2025-12-31T23:59:00')).toEqual(['2025-12-31 周三 23:59', '2025-12-31 周三 23:59'])
})
