import { expect, test } from 'vitest'
import { http } from '../app/net/http-texts.ts'
import { app } from '../app/texts.ts'
import { account } from '../areas/account/texts.ts'
import { areaTexts } from './test-texts.ts'

type Texts = { readonly [key: string]: string | Texts }

const english: Readonly<Record<string, Texts>> = Object.fromEntries(
  Object.entries({ account, login: app, http, ...(await areaTexts()) }).map(([name, { en }]) => [name, en as Texts]),
)

const pluralsIn = (texts: Texts, path: string): readonly string[] =>
  Object.entries(texts).flatMap(([key, text]) => {
    if (typeof text !== 'string') return pluralsIn(text, `${path}.${key}`)
    const isPlural = /\{\{(count|lines|devices|gateways|houses|left|total)\}\} (more )?[a-z]{3,}s\b/.test(text)
    return isPlural && !key.endsWith('_one') && !(`${key}_one` in texts) ? [`${path}.${key}: ${text}`] : []
  })

test('no English text says "1 lines": a number before a plural has its singular', () => {
  expect(Object.entries(english).flatMap(([area, texts]) => pluralsIn(texts, area))).toEqual([])
})

test('a singular names the text it is of', () => {
  for (const texts of Object.values(english))
    for (const key of Object.keys(texts).filter((each) => each.endsWith('_one'))) expect(texts).toHaveProperty(key.slice(0, -4))
})
