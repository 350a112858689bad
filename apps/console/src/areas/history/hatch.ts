/** The hatch of missing data, as ECharts takes it for a colour: grey ground, thin lines from right to left. */
export function hatchOf(token: (name: string) => string): object {
  const image = document.createElement('canvas')
  image.width = image.height = 8
  const ink = image.getContext('2d')
  if (ink) {
    ink.fillStyle = token('--gap')
    ink.fillRect(0, 0, 8, 8)
    ink.strokeStyle = token('--off-hatch')
    ink.lineWidth = 1
    ink.beginPath()
    for (const shift of [-8, 0, 8]) {
      ink.moveTo(shift, 8)
      ink.lineTo(shift + 8, 0)
    }
    ink.stroke()
  }
  return { image, repeat: 'repeat' }
}
