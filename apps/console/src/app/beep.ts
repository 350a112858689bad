let audio: AudioContext | null = null

/** A short two-tone call. Browsers allow sound only after a person has touched the page; until then it stays silent. */
export function beep(): void {
  if (!navigator.userActivation.hasBeenActive) return
  audio ??= new AudioContext()
  if (audio.state === 'suspended') void audio.resume().catch(() => {})
  const start = audio.currentTime
  for (const [index, frequency] of [880, 660].entries()) {
    const tone = audio.createOscillator()
    const volume = audio.createGain()
    tone.frequency.value = frequency
    volume.gain.setValueAtTime(0.12, start + index * 0.18)
    volume.gain.exponentialRampToValueAtTime(0.001, start + index * 0.18 + 0.16)
    tone.connect(volume).connect(audio.destination)
    tone.start(start + index * 0.18)
    tone.stop(start + index * 0.18 + 0.17)
  }
}
