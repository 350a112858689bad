import react from '@vitejs/plugin-react'
import type { InlineConfig } from 'vite'
import { defineConfig } from 'vite'
import { finish } from './build/finish.ts'
import { noCircles } from './build/no-circles.ts'
import { noSchemas } from './build/no-schemas.ts'
import { rooms } from './build/rooms.ts'

const server = process.env.LINEWARDEN_DEV_SERVER ?? 'http://127.0.0.1:8080'

const usual = (): InlineConfig => ({
  root: import.meta.dirname,
  plugins: [noSchemas(), react()],
  build: {
    target: 'es2023',
    // The server's content policy allows no data: scripts and wants every asset as a file of its own.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 700,
    modulePreload: { polyfill: false },
    // What each page loads, for `npm run bench bundle`.
    manifest: true,
  },
})

export default defineConfig(async ({ command }) => {
  const { plugins, build, ...rest } = usual()
  const groups = [
    // What every page needs, the first one too: one file compresses better than five.
    {
      name: 'frame',
      test: /node_modules\/(?:react|react-dom|scheduler|react-router|i18next|react-i18next|zustand)\//,
      priority: 3,
    },
    ...(command === 'build' ? await rooms(usual()) : []),
  ]
  return {
    ...rest,
    plugins: [plugins, noCircles(), finish()],
    build: { ...build, rolldownOptions: { output: { codeSplitting: { groups } } } },
    server: { proxy: { '/api': { target: server, ws: true } } },
  }
})
