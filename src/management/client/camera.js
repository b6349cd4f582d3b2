import { readCode } from '../../codes/read.ts';
import { clicked, elementsOf } from './page.js';
import { say, send } from './scan.js';

/**
 * On phones whose browser reads codes (`BarcodeDetector`), a button at the top of each page opens the camera. The first
 * known code in its picture is handled like the code of a scanner.
 */
if ('BarcodeDetector' in window && matchMedia('(pointer: coarse)').matches) {
  const LOOK_MS = 150;
  // @ts-expect-error: TypeScript does not know `BarcodeDetector` yet.
  const detector = new window.BarcodeDetector({
    formats: ['code_39', 'code_128', 'data_matrix', 'ean_13', 'itf', 'qr_code'],
  });
  const view = document.createElement('dialog');
  const video = document.createElement('video');
  view.className = 'dialog camera';
  Object.assign(video, { muted: true, playsInline: true });
  view.append(video);
  document.body.append(view);

  /** @type {MediaStream | undefined} */
  let stream;
  const end = () => {
    for (const track of stream?.getTracks() ?? []) track.stop();
    video.srcObject = null;
  };

  const look = async () => {
    const found = view.open ? await detector.detect(video).catch(() => []) : [];
    if (!view.open) return;
    for (const { rawValue: text } of found) {
      const code = readCode(text);
      if (!code) continue;
      view.close();
      return send({ code, text });
    }
    setTimeout(look, LOOK_MS);
  };

  view.addEventListener('close', end);
  view.addEventListener('click', () => view.close());
  for (const button of elementsOf('[data-camera]')) button.hidden = false;
  addEventListener('click', async (event) => {
    if (!clicked(event, '[data-camera]')) return;
    try {
      stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' } });
    } catch {
      return say('barred');
    }
    video.srcObject = stream;
    view.showModal();
    await video.play();
    void look();
  });
}
