import { expect, test } from 'vitest'
import { loginFor, safeRedirect } from './paths.ts'

test('the login leads back to where the person was going', () => {
  const path = '/devmon/realtime?q=照明&line=3'
  expect(safeRedirect(new URL(loginFor(path), 'http://x').searchParams.get('redirect'))).toBe(path)
})

test.each([
  null,
  '',
  'https://example.com/',
  '//example.com',
  '/\\example.com',
  '/\t/example.com',
  '/login',
  '/login?redirect=/x',
  'javascript:alert(1)',
])('%j leads to the start page', (given) => {
  expect(safeRedirect(given)).toBe('/')
})
