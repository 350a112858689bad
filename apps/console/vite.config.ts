import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const server = process.env.LINEWARDEN_DEV_SERVER ?? 'http://127.0.0.1:8080'

export default defineConfig({
  plugins: [react()],
  // The server's content policy allows no data: scripts and wants every asset as a file of its own.
  build: { target: 'es2023', assetsInlineLimit: 0, chunkSizeWarningLimit: 700, modulePreload: { polyfill: false } },
  server: { proxy: { '/api': { target: server, ws: true } } },
})
