import { expect, test } from '@playwright/test'
import { phone, tooWide } from '../looks.ts'

test.use({ viewport: phone })

const page360 = (animation: string) => `<style>@keyframes slide { from { margin-left: 300px } }</style>
  <body style="margin: 0"><main><button style="width: 200px; animation: slide ${animation} linear">OK</button></main></body>`

test('what slides in is measured where it comes to rest', async ({ page }) => {
  await page.setContent(page360('0.5s'))
  expect(await tooWide(page)).toEqual([])
})

test('what is held, or never ends, is measured where it is', async ({ page }) => {
  await page.setContent(page360('1s 1 paused'))
  expect(await tooWide(page)).not.toEqual([])
  await page.setContent(page360('3600s infinite'))
  expect(await tooWide(page)).not.toEqual([])
})
