import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { isolated, Place } from './place.tsx'

test('each name of a place is kept apart from the others', () => {
  const names = ['مصنع', '5', 'لوحة']
  expect(renderToStaticMarkup(createElement(Place, { names }))).toBe('<bdi>مصنع</bdi> / <bdi>5</bdi> / <bdi>لوحة</bdi>')
  expect(isolated(['مصنع', '5'])).toBe('\u2068مصنع\u2069 / \u20685\u2069')
})

test('names that stand together otherwise keep what is between them, and what is in them', () => {
  const names = ['مصنع', '5 / 6']
  expect(renderToStaticMarkup(createElement(Place, { names, between: ' › ' }))).toBe('<bdi>مصنع</bdi> › <bdi>5 / 6</bdi>')
  expect(isolated(names, ' › ')).toBe('\u2068مصنع\u2069 › \u20685 / 6\u2069')
})
