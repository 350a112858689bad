import { encode } from 'uqr'
import './qr-code.css'
import './qr-code.css'

/** Always dark on white: a reader knows no theme. */
export function QrCode({ text, label = text }: { text: string; label?: string }) {
  const { data, size } = encode(text, { ecc: 'M', border: 2 })
  const path = data.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : []))).join('')
  return (
    <svg className="qr" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label} shapeRendering="crispEdges">
      <path d={path} />
    </svg>
  )
}
