import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { isolated, Place } from './place.tsx'

test('each name of a place is kept apart from the others', () => {
  expect(renderToStaticMarkup(createElement(Place, { text: 'مصنع / 5 / لوحة' }))).toBe(
    '<bdi>مصنع</bdi> / <bdi>5</bdi> / <bdi>لوحة</bdi>',
  )
  expect(isolated('مصنع / 5')).toBe('\u2068مصنع\u2069 / \u20685\u2069')
})
