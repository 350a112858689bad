import { rationales } from '@linewarden/equipment/rationalisation'
import { ruleTexts } from '@linewarden/rules/warning'
import { expect, test } from 'vitest'
import { alarmCatalogue } from './alarm-catalogue.ts'

test('everything that can be raised has a built-in answer, and nothing else has one', () => {
  expect(rationales.map(({ key }) => key).toSorted()).toEqual([...alarmCatalogue().keys()].toSorted())
})

test('every answer names where its limit comes from and how much time there is, each in its own words', () => {
  for (const { key, ...texts } of rationales) {
    const inBoth = Object.values(texts).flatMap(({ zh, en }) => [zh.trim(), en.trim()])
    expect([key, inBoth.filter((each) => each.length < 2), new Set(inBoth).size]).toEqual([key, [], inBoth.length])
  }
  expect(Object.keys(ruleTexts).filter((key) => !alarmCatalogue().has(key))).toEqual([])
})
