import { elementsOf } from './page.js';

/** Plays a sound for a refused scan, because packers look at the shelf. Browsers allow it after a key or a click. */
if (elementsOf('[data-alarm]').length > 0 && 'AudioContext' in window) {
  const BEEPS = 3;
  const BEEP_S = 0.12;
  const PITCH_HZ = 330;
  const VOLUME = 0.3;
  const audio = new AudioContext();
  const volume = audio.createGain();
  volume.gain.value = VOLUME;
  volume.connect(audio.destination);
  for (let beep = 0; beep < BEEPS; beep += 1) {
    const tone = audio.createOscillator();
    tone.type = 'square';
    tone.frequency.value = PITCH_HZ;
    tone.connect(volume);
    tone.start(audio.currentTime + 2 * beep * BEEP_S);
    tone.stop(audio.currentTime + (2 * beep + 1) * BEEP_S);
  }
}
