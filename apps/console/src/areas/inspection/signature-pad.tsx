import type { PointerEvent } from 'react'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { strokesPath } from './signature.tsx'
import type { Strokes } from './strokes.ts'
import { drawn, height, width } from './strokes.ts'

/** A field to sign in, with a finger, a pen or a mouse. */
export function SignaturePad({
  label,
  strokes,
  onChange,
}: {
  label: string
  strokes: Strokes
  onChange: (strokes: Strokes) => void
}) {
  const { t } = useTranslation('inspection')
  const now = useRef(strokes)
  now.current = strokes
  const isDrawing = useRef(false)
  const at = (event: PointerEvent<SVGSVGElement>, begins: boolean) => {
    const box = event.currentTarget.getBoundingClientRect()
    const next = drawn(
      now.current,
      ((event.clientX - box.left) / box.width) * width,
      ((event.clientY - box.top) / box.height) * height,
      begins,
    )
    now.current = next
    onChange(next)
  }
  return (
    <div className="signature-pad">
      <p>
        {label}
        <button type="button" className="btn small quiet" disabled={strokes.length === 0} onClick={() => onChange([])}>
          {t('signAgain')}
        </button>
      </p>
      <svg
        viewBox={`0 0 ${width} ${height}`}
        role="img"
        aria-label={t('signHere', { who: label })}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId)
          isDrawing.current = true
          at(event, true)
        }}
        onPointerMove={(event) => isDrawing.current && at(event, false)}
        onPointerUp={() => {
          isDrawing.current = false
        }}
        onPointerCancel={() => {
          isDrawing.current = false
        }}
      >
        <path d={strokesPath({ Strokes: strokes.map((stroke) => [...stroke]) })} />
      </svg>
    </div>
  )
}
