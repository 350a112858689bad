// Draws the console's app icons from the logo: `node scripts/icons.ts`. Run after the logo was changed; the files are kept in the repository.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { chromium } from '@playwright/test'
import { findOrInstallChromium } from './chromium.ts'

const folder = 'apps/console/public'
const ground = '#16191a'
const ink = '#eceeed'
const logo = readFileSync(`${folder}/logo.svg`, 'utf8')
  .replace(/^<svg[^>]*>|<\/svg>\s*$/g, '')
  .replaceAll('#767d7b', ink)

/** The logo's 24 units on a square of ink. Systems cut maskable icons to their own shape: the logo stays within the middle 60 %. */
const icon = (share: number, corner: number): string => {
  const side = 24 / share
  const margin = (side - 24) / 2
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${side} ${side}" width="100%" height="100%">`,
    `<rect width="${side}" height="${side}" rx="${side * corner}" fill="${ground}"/>`,
    `<g transform="translate(${margin + 1} ${margin})" fill="none" stroke="${ink}" stroke-width="2">${logo}</g></svg>`,
  ].join('')
}
const usual = icon(0.64, 0.2)
const maskable = icon(0.52, 0)

mkdirSync(`${folder}/icons`, { recursive: true })
writeFileSync(`${folder}/icons/icon.svg`, `${usual.replace(' width="100%" height="100%"', '')}\n`)
const browser = await chromium.launch({ executablePath: findOrInstallChromium(), args: ['--no-sandbox', '--disable-gpu'] })
for (const [name, svg, size] of [
  ['icon-192', usual, 192],
  ['icon-512', usual, 512],
  ['maskable-192', maskable, 192],
  ['maskable-512', maskable, 512],
] as const) {
  const page = await browser.newPage({ viewport: { width: size, height: size } })
  await page.setContent(`<style>html,body{margin:0;height:100%}svg{display:block}</style>${svg}`)
  await page.screenshot({ path: `${folder}/icons/${name}.png`, omitBackground: true })
  await page.close()
}
await browser.close()
